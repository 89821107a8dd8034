// Passes of xDSL on loops: loads merge where nothing is stored between, stores stay.
// RUN: opc-opt -p cse %s | filecheck %s --check-prefix CSE
// RUN: opc-opt -p dce %s | filecheck %s --check-prefix DCE
// RUN: opc-opt -p canonicalize %s | filecheck %s --check-prefix DCE

// CSE-LABEL: func.func @loads
// CSE: loop.for
// CSE-NEXT: [[A:%.+]] = loop.load %x[d0](%i)
// CSE-NEXT: [[S:%.+]] = scalar.apply add([[A]], [[A]])
// CSE-NEXT: loop.store [[S]] to %y[d0](%i)
// CSE-NEXT: [[B:%.+]] = loop.load %x[d0](%i)
// CSE-NEXT: loop.store [[B]] to %y[d0](%i)
// CSE-NEXT: loop.store [[B]] to %y[d0](%i)
// CSE-NEXT: }
func.func @loads(%x: memref<4xf32>, %y: memref<4xf32>, %w: memref<0xi8>)
    attributes {opc.outputs = 1 : i64} {
  loop.for %i = <0> to <4> step 1 serial {
    %a = loop.load %x[d0](%i) : f32
    %b = loop.load %x[d0](%i) : f32
    %s = scalar.apply add(%a, %b) : f32
    loop.store %s to %y[d0](%i)
    %c = loop.load %x[d0](%i) : f32
    loop.store %c to %y[d0](%i)
    loop.store %c to %y[d0](%i)
  }
  return
}

// DCE-LABEL: func.func @unused
// DCE-NEXT: loop.prefetch %x[0, 4]
// DCE-NEXT: return
func.func @unused(%x: memref<4xf32>, %i: memref<4xi64>, %w: memref<64xi8>) {
  %local = loop.local : memref<f32>
  %part = loop.slice %w[0] : memref<4xf32>
  loop.for %k = <0> to <4> step 1 serial {
    %a = loop.load %x[d0](%k) : f32
    %at = loop.load %i[d0](%k) : i64
    %b = loop.gather %x[d0](%at) : f32
    %c = scalar.apply add(%a, %b) : f32
    loop.if <atleast(d0, 2)>(%k) {
      %d = loop.load %x[d0](%k) : f32
    } else {
      %e = scalar.apply neg(%c) : f32
    }
  }
  loop.prefetch %x[0, 4]
  return
}

// Two variables are two places.
// CSE-LABEL: func.func @variables
// CSE-COUNT-2: loop.local
// CSE-COUNT-2: loop.store
// CSE-COUNT-2: loop.load
// CSE: return
// DCE-LABEL: func.func @variables
// DCE-COUNT-2: loop.local
// DCE-COUNT-2: loop.store
// DCE: return
func.func @variables(%x: memref<2xf32>, %y: memref<2xf32>, %w: memref<0xi8>)
    attributes {opc.outputs = 1 : i64} {
  %a = loop.local : memref<f32>
  %b = loop.local : memref<f32>
  %zero = scalar.constant 0.0 : f32
  %one = scalar.constant 1.0 : f32
  loop.store %zero to %a[0]
  loop.store %one to %b[0]
  %u = loop.load %a[0] : f32
  %v = loop.load %b[0] : f32
  loop.store %u to %y[0]
  loop.store %v to %y[1]
  return
}

// CSE-LABEL: func.func @lanes
// CSE: loop.store %zero to %lanes[0]
// CSE: loop.combine
// CSE-NEXT: loop.store %zero to %lanes[0]
// CSE-NEXT: loop.combine
// DCE-LABEL: func.func @lanes
// DCE-COUNT-2: loop.store %zero to %lanes[0]
func.func @lanes(%x: memref<16xf32>, %y: memref<2xf32>, %w: memref<0xi8>)
    attributes {opc.outputs = 1 : i64} {
  %lanes = loop.local : memref<16xf32>
  %zero = scalar.constant 0.0 : f32
  loop.store %zero to %lanes[0]
  %a = loop.combine sum %lanes : f32
  loop.store %zero to %lanes[0]
  %b = loop.combine sum %lanes : f32
  loop.store %a to %y[0]
  loop.store %b to %y[1]
  return
}

// CSE-LABEL: func.func @scatter
// CSE-COUNT-2: loop.scatter
// CSE: return
// DCE-LABEL: func.func @scatter
// DCE-COUNT-2: loop.scatter
// DCE: return
func.func @scatter(%i: memref<1xi64>, %v: memref<1xf32>, %y: memref<4xf32>, %w: memref<0xi8>)
    attributes {opc.outputs = 1 : i64} {
  %at = loop.load %i[0] : i64
  %u = loop.load %v[0] : f32
  loop.scatter %u to %y[d0](%at)
  loop.scatter %u to %y[d0](%at)
  return
}
