// Loops, buffers and what loops do with them.
// RUN: opc-opt %s | opc-opt --print-op-generic | opc-opt | filecheck %s

// CHECK-LABEL: func.func @matrix(
// CHECK-NEXT:    loop.for %i = <0> to <M> step 1 parallel {
// CHECK-NEXT:      loop.for %j = <0> to <N> step 1 vector {
// CHECK-NEXT:        %v = loop.load %x[N*d0 + d1](%i, %j) : f32
// CHECK-NEXT:        loop.store %v to %y[M*d1 + d0](%i, %j)
// CHECK-NEXT:      }
// CHECK-NEXT:    }
func.func @matrix(%x: memref<?x?xf32, #opc.dims<M, N>>, %y: memref<?x?xf32, #opc.dims<N, M>>) {
  loop.for %i = <0> to <M> step 1 parallel {
    loop.for %j = <0> to <N> step 1 vector {
      %v = loop.load %x[d0*N + d1](%i, %j) : f32
      loop.store %v to %y[d1*M + d0](%i, %j)
    }
  }
  return
}

// CHECK-LABEL: func.func @peeled(
// CHECK-NEXT:    loop.for %i = <0> to <4> step 1 serial {
// CHECK-NEXT:      %n = loop.ahead %x[d0*100](%i) : index
// CHECK-NEXT:      loop.for %j = <d0> to <100>(%n) step 16 serial {
func.func @peeled(%x: memref<4x100xf32>) {
  loop.for %i = <0> to <4> step 1 serial {
    %n = loop.ahead %x[d0*100](%i) : index
    loop.for %j = <d0> to <100>(%n) step 16 serial {
    }
  }
  return
}

// CHECK-LABEL: func.func @bounds(
// CHECK-NEXT:    loop.for %i = <0> to <100> step 8 serial {
// CHECK-NEXT:      loop.for %j = <d0> to <min(d0 + 8, 100)>(%i) step 1 unroll {
// CHECK-NEXT:        loop.store %v to %x[d0](%j)
func.func @bounds(%x: memref<100xf32>, %v: f32) {
  loop.for %i = <0> to <100> step 8 serial {
    loop.for %j = <d0> to <min(d0 + 8, 100)>(%i) step 1 unroll {
      loop.store %v to %x[d0](%j)
    }
  }
  return
}

// CHECK-LABEL: func.func @decided(
// CHECK-NEXT:    loop.for %i = <0> to <N> step 1 parallel threads <N*3> by 1 function loop1 marks [own_frame, rolled] {
// CHECK-NEXT:      %a = loop.local at 64 of thread : memref<64xf32>
// CHECK-NEXT:      %b = loop.local at 0 : memref<64xf32>
// CHECK-NEXT:      %c = loop.local in %b : memref<64xf32>
// CHECK-NEXT:      loop.for %j = <d0> to <N>(%i) step 1 serial function loop0 {
func.func @decided(%x: memref<?xf32, #opc.dims<N>>, %v: f32) {
  loop.for %i = <0> to <N> step 1 parallel threads <N*3> by 1 function loop1 marks [own_frame, rolled] {
    %a = loop.local at 64 of thread : memref<64xf32>
    %b = loop.local at 0 : memref<64xf32>
    %c = loop.local in %b : memref<64xf32>
    loop.for %j = <d0> to <N>(%i) step 1 serial function loop0 {
      loop.store %v to %x[d0](%j)
    }
  }
  return
}

// CHECK-LABEL: func.func @empty_body(
// CHECK-NEXT:    loop.for %i = <0> to <4> step 1 serial {
// CHECK-NEXT:    }
func.func @empty_body() {
  loop.for %i = <0> to <4> step 1 serial {
  }
  return
}

// CHECK-LABEL: func.func @choice(
// CHECK-NEXT:    loop.if <-atleast(N, 17) + 1> {
// CHECK-NEXT:      loop.store %v to %x[0]
// CHECK-NEXT:    }
// CHECK-NEXT:    loop.for %i = <0> to <100> step 1 serial {
// CHECK-NEXT:      loop.if <atleast(N, d0)*atleast(d0, 1)>(%i) {
// CHECK-NEXT:        loop.store %v to %x[d0](%i)
// CHECK-NEXT:      } else {
// CHECK-NEXT:        loop.if <nonunit(M)*nonunit(N)> asks ["more rows", ""] "many" {
// CHECK-NEXT:        } else "few" {
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:    }
func.func @choice(%x: memref<100xf32>, %v: f32) {
  loop.if <1 - atleast(N, 17)> {
    loop.store %v to %x[0]
  }
  loop.for %i = <0> to <100> step 1 serial {
    loop.if <atleast(N, d0) * atleast(d0, 1)>(%i) {
      loop.store %v to %x[d0](%i)
    } else {
      loop.if <nonunit(M) * nonunit(N)> asks ["more rows", ""] "many" {
      } else "few" {
      }
    }
  }
  return
}

// CHECK-LABEL: func.func @local(
// CHECK-NEXT:    %acc = loop.local : memref<f32>
// CHECK-NEXT:    %row = loop.local : memref<64xi8>
// CHECK-NEXT:    %v = loop.load %acc[0] : f32
// CHECK-NEXT:    loop.store %v to %acc[0]
func.func @local() {
  %acc = loop.local : memref<f32>
  %row = loop.local : memref<64xi8>
  %v = loop.load %acc[0] : f32
  loop.store %v to %acc[0]
  return
}

// CHECK-LABEL: func.func @buffers(
// CHECK-NEXT:    %a = loop.slice %workspace[0] : memref<4x4xf32>
// CHECK-NEXT:    %b = loop.slice %workspace[floordiv(N*4 + 63, 64)*64 + 64] : memref<?xf16, #opc.dims<N>>
// CHECK-NEXT:    %c = loop.view %a : memref<16xf32>
// CHECK-NEXT:    %d = loop.constant dense<[1, 2, 3]> : tensor<3xi8> to memref<3xi8>
// CHECK-NEXT:    %e = loop.constant weight dense<[1, 2, 3]> : tensor<3xi8> to memref<3xi8>
func.func @buffers(%workspace: memref<?xi8>) {
  %a = loop.slice %workspace[0] : memref<4x4xf32>
  %b = loop.slice %workspace[64 + floordiv(4*N + 63, 64)*64] : memref<?xf16, #opc.dims<N>>
  %c = loop.view %a : memref<16xf32>
  %d = loop.constant dense<[1, 2, 3]> : tensor<3xi8> to memref<3xi8>
  %e = loop.constant weight dense<[1, 2, 3]> : tensor<3xi8> to memref<3xi8>
  return
}

// CHECK-LABEL: func.func @reduction(
// CHECK-NEXT:    loop.cascade next %lanes, %levels, %count
// CHECK-NEXT:    loop.cascade finish %lanes, %levels, %count
// CHECK-NEXT:    loop.cascade next %lanes, %levels, %count[N]
// CHECK-NEXT:    loop.group sum %levels[4, mod(N, 64)] to %lanes
// CHECK-NEXT:    %sum = loop.combine sum %lanes : f32
func.func @reduction(%lanes: memref<8xf32>, %levels: memref<64xf32>, %count: memref<i64>) {
  loop.cascade next %lanes, %levels, %count
  loop.cascade finish %lanes, %levels, %count
  loop.cascade next %lanes, %levels, %count[N]
  loop.group sum %levels[4, mod(N, 64)] to %lanes
  %sum = loop.combine sum %lanes : f32
  return
}

// CHECK-LABEL: func.func @tile(
// CHECK-NEXT:    loop.transpose %x to %tile[d0, N, 0, 4, 4, min(4, N)](%i)
func.func @tile(%tile: memref<16xf32>, %x: memref<?x?xf32, #opc.dims<M, N>>, %i: index) {
  loop.transpose %x to %tile[d0, N, 0, 4, 4, min(4, N)](%i)
  return
}

// CHECK-LABEL: func.func @ahead(
// CHECK-NEXT:    loop.prefetch %x[d0 + 1024, N](%i)
func.func @ahead(%x: memref<?xf32, #opc.dims<N>>, %i: index) {
  loop.prefetch %x[d0 + 1024, N](%i)
  return
}

// CHECK-LABEL: func.func @past_caches(
// CHECK-NEXT:    loop.non_temporal %row to %y[d0*8, d0 + 1024, min(64, N), 1024](%i)
func.func @past_caches(%row: memref<64xf32>, %y: memref<?xf32, #opc.dims<N>>, %i: index) {
  loop.non_temporal %row to %y[d0*8, d0 + 1024, min(64, N), 1024](%i)
  return
}

// CHECK-LABEL: func.func @looked_up(
// CHECK-NEXT:    loop.look_up %x in %t to %y[d0*64, d0 + 8, min(64, N)](%i)
// CHECK-NEXT:    loop.look_up %s in %b to %c[0, 0, 64]
func.func @looked_up(%x: memref<1024xui8>, %t: memref<256xi8>, %y: memref<?xi8, #opc.dims<N>>, %i: index,
                     %s: memref<64xi8>, %b: memref<256xi1>, %c: memref<64xi1>) {
  loop.look_up %x in %t to %y[d0*64, d0 + 8, min(64, N)](%i)
  loop.look_up %s in %b to %c[0, 0, 64]
  return
}

// CHECK-LABEL: func.func @staged(
// CHECK-NEXT:    loop.widen %x[d0*64, 64](%i) to %wide
// CHECK-NEXT:    loop.round %wide[d0](%i) to bf16
// CHECK-NEXT:    loop.narrow %wide to %y[d0*64, mod(N, 64)](%i)
func.func @staged(%wide: memref<64xf32>, %x: memref<1024xf16>, %y: memref<?xbf16, #opc.dims<N>>, %i: index) {
  loop.widen %x[d0*64, 64](%i) to %wide
  loop.round %wide[d0](%i) to bf16
  loop.narrow %wide to %y[d0*64, mod(N, 64)](%i)
  return
}

// CHECK-LABEL: func.func @matrix_registers(
// CHECK-NEXT:    [[S:%.+]] = loop.local : memref<512xi32>
// CHECK-NEXT:    loop.matrix_begin rows 16 columns 32 rest 8
// CHECK-NEXT:    loop.matrix_clear [[S]] rows 16 columns 32 rest 8
// CHECK-NEXT:    loop.matrix_multiply %x, %w to [[S]] rows 16 columns 32 rest 8[d0*16, 72, 0](%i)
// CHECK-NEXT:    loop.matrix_multiply last %x, %w to [[S]] rows 16 columns 32 rest 8[d0*16 + 64, 72, 2048](%i)
// CHECK-NEXT:    loop.matrix_store [[S]] rows 16 columns 32 rest 8
// CHECK-NEXT:    loop.matrix_begin rows 16 columns 32 step 32
// CHECK-NEXT:    loop.matrix_multiply %x, %w to [[S]] rows 16 columns 32 step 32[d0*16, 72, 0](%i)
// CHECK-NEXT:    loop.matrix_end
func.func @matrix_registers(%x: memref<64x72xui8>, %w: memref<2304xi8>, %i: index) {
  %s = loop.local : memref<512xi32>
  loop.matrix_begin rows 16 columns 32 rest 8
  loop.matrix_clear %s rows 16 columns 32 rest 8
  loop.matrix_multiply %x, %w to %s rows 16 columns 32 rest 8[d0*16, 72, 0](%i)
  loop.matrix_multiply last %x, %w to %s rows 16 columns 32 rest 8[d0*16 + 64, 72, 2048](%i)
  loop.matrix_store %s rows 16 columns 32 rest 8
  loop.matrix_begin rows 16 columns 32 step 32
  loop.matrix_multiply %x, %w to %s rows 16 columns 32 step 32[d0*16, 72, 0](%i)
  loop.matrix_end
  return
}

// CHECK-LABEL: func.func @prefetches(
// CHECK-NEXT:    loop.prefetch %x[0, 8]
// CHECK-NEXT:    loop.prefetch %x[8, 8] level 2
func.func @prefetches(%x: memref<64xf32>) {
  loop.prefetch %x[0, 8]
  loop.prefetch %x[8, 8] level 2
  return
}

// CHECK-LABEL: func.func @indirect(
// CHECK:           [[V:%.+]] = loop.gather %x[d0 + d1*4](%j, [[K:%.+]]) : f32
// CHECK-NEXT:      loop.scatter [[V]] to %y[d0*4 + d1]([[K]], %j)
func.func @indirect(%x: memref<9x4xf32>, %i: memref<3xi64>, %y: memref<9x4xf32>) {
  loop.for %n = <0> to <3> step 1 serial {
    %k = loop.load %i[d0](%n) : i64
    loop.for %j = <0> to <4> step 1 vector {
      %v = loop.gather %x[d0 + d1*4](%j, %k) : f32
      loop.scatter %v to %y[d0*4 + d1](%k, %j)
    }
  }
  return
}

// CHECK-LABEL: func.func @break(
// CHECK:           loop.break [[C:%.+]]
func.func @break(%x: memref<9xi1>) {
  loop.for %n = <0> to <9> step 1 serial {
    %c = loop.load %x[d0](%n) : i1
    loop.break %c
  }
  return
}
