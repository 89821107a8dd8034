// What loops and what stands in them refuse.
// RUN: not opc-opt --split-input-file %s 2>&1 | filecheck %s

// CHECK: :6:3: error: loop.load: d0 + d1 has more dimensions than the 1 values given
func.func @loop_c2(%x: memref<4xf32>, %i: index) {
  %v = loop.load %x[d0 + d1](%i) : f32
  return
}

// -----

// CHECK: :14:3: error: loop.store: d0 has more dimensions than the 0 values given
func.func @loop_c2_store(%x: memref<4xf32>, %v: f32) {
  loop.store %v to %x[d0]
  return
}

// -----

// CHECK: :22:3: error: loop.for: min(d0 + 8, 100) has more dimensions than the 0 values given
func.func @loop_c2_bound() {
  loop.for %i = <0> to <min(d0 + 8, 100)> step 1 serial {
  }
  return
}

// -----

// CHECK: :31:3: error: loop.slice: d0 has more dimensions than the 0 values given
func.func @loop_c2_slice(%w: memref<?xi8>) {
  %a = loop.slice %w[d0] : memref<4xf32>
  return
}

// -----

// CHECK: :39:3: error: loop.load: expected a memref, found f32
func.func @loop_c3(%x: f32) {
  %v = loop.load %x[0] : f32
  return
}

// -----

// CHECK: :47:3: error: loop.store: expected a memref, found tensor<4xf32>
func.func @loop_c3_store(%x: f32, %t: tensor<4xf32>) {
  loop.store %x to %t[0]
  return
}

// -----

// CHECK: :55:3: error: loop.view: expected a memref, found tensor<4xf32>
func.func @loop_c3_view(%t: tensor<4xf32>) {
  %v = loop.view %t : memref<4xf32>
  return
}

// -----

// CHECK: :63:3: error: loop.load: expected one expression, found 0
func.func @loop_c1(%x: memref<4xf32>) {
  %v = loop.load %x[] : f32
  return
}

// -----

// CHECK: :71:3: error: loop.store: expected one expression, found 2
func.func @loop_c1_store(%x: memref<4x4xf32>, %v: f32) {
  loop.store %v to %x[0, 0]
  return
}

// -----

// CHECK: :79:3: error: loop.for: expected one expression, found 0
func.func @loop_c1_bound() {
  loop.for %i = <> to <4> step 1 serial {
  }
  return
}

// -----

// CHECK: :88:3: error: loop.slice: expected one expression, found 0
func.func @loop_c1_slice(%w: memref<?xi8>) {
  %a = loop.slice %w[] : memref<4xf32>
  return
}

// -----

// CHECK: :96:3: error: loop.for: kind backward, step 1
func.func @for_c1() {
  loop.for %i = <0> to <4> step 1 backward {
  }
  return
}

// -----

// CHECK: :105:3: error: loop.for: kind serial, step 0
func.func @for_c1_step() {
  loop.for %i = <0> to <4> step 0 serial {
  }
  return
}

// -----

// CHECK: :114:3: error: loop.for: expected one variable of type index
func.func @for_c2() {
  "loop.for"() <{lower = #opc.index<0>, upper = #opc.index<4>, step = 1 : i64, kind = "serial"}> ({
  ^bb0(%i: i32):
    %c = scalar.constant 1.0 : f32
  }) : () -> ()
  return
}

// -----

// CHECK: :125:3: error: loop.load: f64 is no element of memref<4xf32>
func.func @loop_c4(%x: memref<4xf32>) {
  %v = loop.load %x[0] : f64
  return
}

// -----

// CHECK: :133:3: error: loop.store: i32 is no element of memref<4xf32>
func.func @loop_c4_store(%x: memref<4xf32>, %v: i32) {
  loop.store %v to %x[0]
  return
}

// -----

// CHECK: :141:3: error: loop.local: found memref<4x4xf32>, expected a variable or an array of a length
func.func @local_c1() {
  %x = loop.local : memref<4x4xf32>
  return
}

// -----

// CHECK: :149:3: error: loop.local: found memref<?xf32>, expected a variable or an array of a length
func.func @local_c1_dynamic() {
  %x = loop.local : memref<?xf32>
  return
}

// -----

// CHECK: :157:3: error: result 'result' at position 0 does not verify: tensor<4xf32> should be of base attribute memref
func.func @local_type() {
  %x = loop.local : tensor<4xf32>
  return
}

// -----

// CHECK: :165:3: error: loop.slice: the workspace is memref<64xf32>, not bytes
func.func @slice_c1(%w: memref<64xf32>) {
  %a = loop.slice %w[0] : memref<4xf32>
  return
}

// -----

// CHECK: :173:3: error: loop.view: element types differ: memref<4xf32> as memref<4xi32>
func.func @view_c1(%x: memref<4xf32>) {
  %v = loop.view %x : memref<4xi32>
  return
}

// -----

// CHECK: :181:3: error: loop.constant: tensor<3xi8> does not fill memref<3xi16>
func.func @constant_c1() {
  %a = loop.constant dense<1> : tensor<3xi8> to memref<3xi16>
  return
}

// -----

// CHECK: :189:3: error: Unexpected attribute 5 : i8
func.func @constant_kind() {
  %a = loop.constant 5 : i8 to memref<3xi8>
  return
}

// -----

// CHECK: :197:3: error: loop.combine: median of memref<8xf32>
func.func @combine_c1(%lanes: memref<8xf32>) {
  %r = loop.combine median %lanes : f32
  return
}

// -----

// CHECK: :205:3: error: loop.combine: argmax of memref<8xf32>
func.func @combine_c1_position(%lanes: memref<8xf32>) {
  %r = loop.combine argmax %lanes : f32
  return
}

// -----

// CHECK: :213:3: error: loop.combine: sum of memref<6xf32>
func.func @combine_c1_width(%lanes: memref<6xf32>) {
  %r = loop.combine sum %lanes : f32
  return
}

// -----

// CHECK: :221:3: error: loop.combine: sum of memref<?xf32>
func.func @combine_c1_dynamic(%lanes: memref<?xf32>) {
  %r = loop.combine sum %lanes : f32
  return
}

// -----

// CHECK: :229:3: error: loop.combine: f64 is no element of memref<8xf32>
func.func @loop_c4_combine(%lanes: memref<8xf32>) {
  %r = loop.combine sum %lanes : f64
  return
}

// -----

// CHECK: :237:3: error: loop.cascade: pop of memref<8xf32> and memref<64xf32>
func.func @cascade_c1(%lanes: memref<8xf32>, %levels: memref<64xf32>, %count: memref<i64>) {
  loop.cascade pop %lanes, %levels, %count
  return
}

// -----

// CHECK: :245:3: error: loop.cascade: next of memref<8xf32> and memref<64xf64>
func.func @cascade_c1_type(%lanes: memref<8xf32>, %levels: memref<64xf64>, %count: memref<i64>) {
  loop.cascade next %lanes, %levels, %count
  return
}

// -----

// CHECK: :253:3: error: loop.cascade: the count is memref<i32>
func.func @cascade_c2(%lanes: memref<8xf32>, %levels: memref<64xf32>, %count: memref<i32>) {
  loop.cascade next %lanes, %levels, %count
  return
}

// -----

// CHECK: :262:3: error: Expected ','
func.func @cascade_operands(%lanes: memref<8xf32>) {
  loop.cascade next %lanes, %lanes
  return
}

// -----

// CHECK: :269:3: error: loop.combine: cannot reduce i1 by sum
func.func @combine_c2(%lanes: memref<8xi1>) {
  %r = loop.combine sum %lanes : i1
  return
}

// -----

// CHECK: :{{[0-9]+}}:3: error: loop.transpose: memref<64xf64> into memref<16xf32>
func.func @transpose_c1(%tile: memref<16xf32>, %x: memref<64xf64>) {
  loop.transpose %x to %tile[0, 8, 0, 4, 4, 4]
  return
}

// -----

// CHECK: :{{[0-9]+}}:3: error: loop.transpose: expected 6 expressions, found 2
func.func @span_c1_transpose(%tile: memref<16xf32>, %x: memref<64xf32>) {
  loop.transpose %x to %tile[0, 8]
  return
}

// -----

// CHECK: :{{[0-9]+}}:3: error: loop.transpose: more dimensions than values given
func.func @transpose_c2_dims(%tile: memref<16xf32>, %x: memref<64xf32>) {
  loop.transpose %x to %tile[d0, 8, 0, 4, 4, 4]
  return
}

// -----

// CHECK: :{{[0-9]+}}:3: error: loop.prefetch: expected 2 expressions, found 1
func.func @span_c1_prefetch(%x: memref<64xf32>) {
  loop.prefetch %x[0]
  return
}

// -----

// CHECK: :{{[0-9]+}}:3: error: loop.prefetch: more dimensions than values given
func.func @prefetch_c1_dims(%x: memref<64xf32>) {
  loop.prefetch %x[d0, 8]
  return
}

// -----

// CHECK: :{{[0-9]+}}:3: error: loop.non_temporal: memref<64xf64> into memref<64xf32>
func.func @stream_c1(%row: memref<64xf64>, %y: memref<64xf32>) {
  loop.non_temporal %row to %y[0, 0, 8, 8]
  return
}

// -----

// CHECK: :{{[0-9]+}}:3: error: loop.non_temporal: expected 4 expressions, found 1
func.func @span_c1_stream(%row: memref<64xf32>, %y: memref<64xf32>) {
  loop.non_temporal %row to %y[0]
  return
}

// -----

// CHECK: :{{[0-9]+}}:3: error: loop.non_temporal: more dimensions than values given
func.func @stream_c2_dims(%row: memref<64xf32>, %y: memref<64xf32>) {
  loop.non_temporal %row to %y[0, d0, 8, 8]
  return
}

// -----

// CHECK: :{{[0-9]+}}:3: error: loop.widen: expected f16 or bf16 and f32, found f64, f32
func.func @strip_c1(%wide: memref<64xf32>, %x: memref<64xf64>) {
  loop.widen %x[0, 64] to %wide
  return
}

// -----

// CHECK: :{{[0-9]+}}:3: error: loop.narrow: expected f16 or bf16 and f32, found f16, f64
func.func @strip_c1_wide(%wide: memref<64xf64>, %y: memref<64xf16>) {
  loop.narrow %wide to %y[0, 64]
  return
}

// -----

// CHECK: :{{[0-9]+}}:3: error: loop.widen: expected 2 expressions, found 1
func.func @span_c1(%wide: memref<64xf32>, %x: memref<64xf16>) {
  loop.widen %x[0] to %wide
  return
}

// -----

// CHECK: :{{[0-9]+}}:3: error: loop.narrow: more dimensions than values given
func.func @span_c2(%wide: memref<64xf32>, %y: memref<64xf16>) {
  loop.narrow %wide to %y[d0, 64]
  return
}

// -----

// CHECK: :{{[0-9]+}}:3: error: loop.round: expected f32 to f16 or bf16, found f32, f64
func.func @round_c1(%wide: memref<64xf32>) {
  loop.round %wide[64] to f64
  return
}

// -----

// CHECK: :381:3: error: loop.cascade: d0 has more dimensions than the 0 values given
func.func @cascade_c3(%lanes: memref<8xf32>, %levels: memref<64xf32>, %count: memref<i64>) {
  loop.cascade next %lanes, %levels, %count[d0]
  return
}

// -----

// CHECK: :389:3: error: loop.local: 16 lanes do not divide memref<40xf32>
func.func @local_c2() {
  %x = loop.local registers 16 : memref<40xf32>
  return
}

// -----

// CHECK: error: loop.gather: an offset depends on f32, expected index or i64
func.func @loop_indirect_c1(%x: memref<9xf32>, %k: f32) {
  %v = loop.gather %x[d0](%k) : f32
  return
}

// -----

// CHECK: error: loop.group: any of f32 to memref<8xf32>
func.func @group_c1(%x: memref<64xf32>, %lanes: memref<8xf32>) {
  loop.group any %x[0, 4] to %lanes
  return
}

// -----

// CHECK: error: loop.group: sum of f32 to memref<12xf32>
func.func @group_c1_width(%x: memref<64xf32>, %lanes: memref<12xf32>) {
  loop.group sum %x[0, 4] to %lanes
  return
}

// -----

// CHECK: error: loop.group: expected 2 expressions, found 1
func.func @span_c1_group(%x: memref<64xf32>, %lanes: memref<8xf32>) {
  loop.group sum %x[0] to %lanes
  return
}

// -----

// CHECK: error: loop.group: more dimensions than values given
func.func @span_c2_group(%x: memref<64xf32>, %lanes: memref<8xf32>) {
  loop.group sum %x[d0, 4] to %lanes
  return
}

// -----

// CHECK: loop.view: d0 has more dimensions than the 0 values given
func.func @view_c2(%x: memref<4xf32>) {
  %v = loop.view %x[d0] : memref<4xf32>
  return
}

// -----

// CHECK: :445:3: error: loop.if: min(d0, 1) is not a condition, which is 0 or 1
func.func @if_c1(%i: index) {
  loop.if <min(d0, 1)>(%i) {
  }
  return
}

// -----

// CHECK: :454:3: error: loop.if: atleast(N, 1) + atleast(N, 8) is not a condition, which is 0 or 1
func.func @if_c1_sum() {
  loop.if <atleast(N, 1) + atleast(N, 8)> {
  }
  return
}

// -----

// CHECK: :463:3: error: loop.if: blocks of a choice have no arguments
func.func @if_c2() {
  "loop.if"() <{condition = #opc.index<atleast(N, 1)>}> ({
  ^bb0(%i: index):
    %c = scalar.constant 1.0 : f32
  }) : () -> ()
  return
}

// -----

// CHECK: :474:3: error: loop.if: atleast(d0, 1) has more dimensions than the 0 values given
func.func @loop_c2_if() {
  loop.if <atleast(d0, 1)> {
  }
  return
}

// -----

// CHECK: error: loop.if: remark '*/' is more than words
func.func @remarks_c1() {
  loop.if <atleast(N, 1)> "*/" {
  }
  return
}

// -----

// CHECK: error: loop.if: found 2 remarks, expected 1
func.func @remarks_c2() {
  loop.if <atleast(N, 1)> asks ["a", "b"] {
  }
  return
}

// -----

// CHECK: error: loop.slice: found memref<?xf32, #opc.dims<-5>> at 0, expected nothing below 0
func.func @slice_c2(%w: memref<?xi8>) {
  %a = loop.slice %w[0] : memref<?xf32, #opc.dims<-5>>
  return
}

// -----

// CHECK: error: loop.slice: found memref<4xf32> at -64, expected nothing below 0
func.func @slice_c2_offset(%w: memref<?xi8>) {
  %a = loop.slice %w[-64] : memref<4xf32>
  return
}

// -----

// CHECK: error: loop.break: i64 is no i1
func.func @break_c1(%x: memref<9xi64>) {
  loop.for %n = <0> to <9> step 1 serial {
    %c = loop.load %x[d0](%n) : i64
    loop.break %c
  }
  return
}

// -----

// CHECK: error: loop.break: expected in a serial loop
func.func @break_c2(%x: memref<9xi1>) {
  loop.for %n = <0> to <9> step 1 parallel {
    %c = loop.load %x[d0](%n) : i1
    loop.break %c
  }
  return
}

// -----

// CHECK: :539:3: error: loop.for: threads share it by 0 iterations, expected 1 or more
func.func @for_c3() {
  loop.for %i = <0> to <4> step 1 parallel threads <64> by 0 {
  }
  return
}

// -----

// CHECK: :548:3: error: loop.for: marks fast, expected own_frame, as_it_stands, in_order,
func.func @for_c4() {
  loop.for %i = <0> to <4> step 1 serial marks [rolled, fast] {
  }
  return
}

// -----

// CHECK: :557:3: error: loop.local: found memref<f32> in the workspace, expected an array in memory
func.func @local_c3() {
  %x = loop.local at 64 : memref<f32>
  return
}

// -----

// CHECK: :565:3: error: loop.local: found memref<32xf32> in the workspace, expected an array in memory
func.func @local_c3_registers() {
  %x = loop.local registers 16 at 64 : memref<32xf32>
  return
}

// -----

// CHECK: error: loop.matrix_begin: found 33 rows, 32 columns, steps of 64 and a rest of 0, expected as many
func.func @matrix_c1() {
  loop.matrix_begin rows 33 columns 32
  return
}

// -----

// CHECK: error: loop.matrix_clear: found memref<512xi32>, expected 1024 of i32
func.func @matrix_c2(%s: memref<512xi32>) {
  loop.matrix_clear %s rows 32 columns 32
  return
}

// -----

// CHECK: error: loop.matrix_multiply: found f32, i8, expected bytes
func.func @matrix_c3(%x: memref<64xf32>, %w: memref<1024xi8>, %s: memref<16xi32>) {
  loop.matrix_multiply %x, %w to %s rows 1 columns 16[0, 64, 0]
  return
}

// -----

// CHECK: error: loop.matrix_multiply: found 2 expressions over 0 values, expected three
func.func @matrix_c4(%x: memref<64xi8>, %w: memref<1024xi8>, %s: memref<16xi32>) {
  loop.matrix_multiply %x, %w to %s rows 1 columns 16[0, 64]
  return
}

// -----

// CHECK: error: loop.matrix_multiply: found last, expected a rest
func.func @matrix_c5(%x: memref<64xi8>, %w: memref<1024xi8>, %s: memref<16xi32>) {
  loop.matrix_multiply last %x, %w to %s rows 1 columns 16[0, 64, 0]
  return
}

// -----

// CHECK: :{{[0-9]+}}:3: error: loop.prefetch: found level 3, expected 2
func.func @prefetch_c1(%x: memref<64xf32>) {
  loop.prefetch %x[0, 8] level 3
  return
}

// -----

// CHECK: error: loop.look_up: expected ui8 or i8, found i16
func.func @look_up_c1(%x: memref<64xi16>, %t: memref<256xi8>, %y: memref<64xi8>) {
  loop.look_up %x in %t to %y[0, 0, 64]
  return
}

// -----

// CHECK: error: loop.look_up: expected 256 entries of a byte, found memref<255xi8>
func.func @look_up_c2(%x: memref<64xi8>, %t: memref<255xi8>, %y: memref<64xi8>) {
  loop.look_up %x in %t to %y[0, 0, 64]
  return
}

// -----

// CHECK: error: loop.look_up: expected 256 entries of a byte, found memref<256xi16>
func.func @look_up_c2_wide(%x: memref<64xi8>, %t: memref<256xi16>, %y: memref<64xi16>) {
  loop.look_up %x in %t to %y[0, 0, 64]
  return
}

// -----

// CHECK: error: loop.look_up: memref<256xi8> into memref<64xui8>
func.func @look_up_c3(%x: memref<64xi8>, %t: memref<256xi8>, %y: memref<64xui8>) {
  loop.look_up %x in %t to %y[0, 0, 64]
  return
}

// -----

// CHECK: error: loop.look_up: expected 3 expressions, found 2
func.func @span_c1_look_up(%x: memref<64xi8>, %t: memref<256xi8>, %y: memref<64xi8>) {
  loop.look_up %x in %t to %y[0, 64]
  return
}

// -----

// CHECK: error: loop.local: d0*64 has more dimensions than the 0 values given
func.func @local_c4() {
  %x = loop.local at <d0*64> : memref<8xf32>
  return
}
