// Nests that reduce have loops over points by how memory runs.
// RUN: opc-opt %s -p 'infer-shapes,fold-constants,normalize-axes,decompose,normalize-broadcast,fix-orders,form-kernels,fuse-kernels,form-sweeps,narrow-domains,plan-buffers,split-axes,schedule{target=avx512}' | filecheck %s

// One row at a time.
// CHECK-LABEL: func.func @rows(
// CHECK:       schedule.tree {
// CHECK-NEXT:    schedule.for [d0] by 1 parallel {
// CHECK-NEXT:      schedule.run init 0
// CHECK-NEXT:      schedule.for [d1] by 512 serial {
// CHECK-NEXT:        schedule.for [d1] by 128 unroll {
// CHECK-NEXT:          schedule.for [d1] by 64 lanes {
// CHECK-NEXT:            schedule.for [d1] by 1 unroll {
// CHECK-NEXT:              schedule.run step 0
// CHECK-NEXT:            }
// CHECK-NEXT:          }
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:      schedule.run finish 0
// CHECK-NEXT:      schedule.run out
// CHECK-NEXT:    }
// CHECK-NEXT:  }
func.func @rows(%x: tensor<64x1000xf32>) -> tensor<64xf32> {
  %r = opc.reduce_sum %x {axes = [1]}
  return %r : tensor<64xf32>
}

// A block of columns side by side.
// CHECK-LABEL: func.func @columns(
// CHECK:       schedule.tree {
// CHECK-NEXT:    schedule.for [d0] by 1008 parallel {
// CHECK-NEXT:      schedule.run init 0
// CHECK-NEXT:      schedule.for [d1] by 128 serial {
// CHECK-NEXT:        schedule.for [d1] by 8 serial {
// CHECK-NEXT:          schedule.for [d0] by 1 vector {
// CHECK-NEXT:            schedule.for [d1] by 1 unroll {
// CHECK-NEXT:              schedule.run step 0
// CHECK-NEXT:            }
// CHECK-NEXT:          }
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:      schedule.run finish 0
// CHECK-NEXT:      schedule.for [d0] by 1 vector {
// CHECK-NEXT:        schedule.run out
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:  }
func.func @columns(%x: tensor<1000x2000xf32>) -> tensor<2000xf32> {
  %r = opc.reduce_sum %x {axes = [0]}
  return %r : tensor<2000xf32>
}

// A block of short rows is turned around.
// CHECK-LABEL: func.func @short(
// CHECK:       schedule.tree {
// CHECK-NEXT:    schedule.for [d0] by 256 parallel {
// CHECK-NEXT:      schedule.pack_rows
// CHECK-NEXT:      schedule.run init 0
// CHECK-NEXT:      schedule.for [d0] by 1 vector {
// CHECK-NEXT:        schedule.for [d1] by 1 unroll {
// CHECK-NEXT:          schedule.run step 0
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:      schedule.run finish 0
// CHECK-NEXT:      schedule.for [d0] by 1 vector {
// CHECK-NEXT:        schedule.run out
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:  }
func.func @short(%x: tensor<5000x7xf32>) -> tensor<5000xf32> {
  %r = opc.reduce_sum %x {axes = [1]}
  return %r : tensor<5000xf32>
}

// A block goes along a short axis and the one before it.
// CHECK-LABEL: func.func @narrow(
// CHECK:       schedule.tree {
// CHECK-NEXT:    schedule.for [d0] by 100 parallel {
// CHECK-NEXT:      schedule.for [d1] by 4 serial {
// CHECK-NEXT:        schedule.run init 0
// CHECK-NEXT:        schedule.for [d2] by 1 serial {
// CHECK-NEXT:          schedule.for [d0] by 1 serial {
// CHECK-NEXT:            schedule.for [d1] by 1 vector {
// CHECK-NEXT:              schedule.run step 0
// CHECK-NEXT:            }
// CHECK-NEXT:          }
// CHECK-NEXT:        }
// CHECK-NEXT:        schedule.run finish 0
// CHECK-NEXT:        schedule.for [d0] by 1 serial {
// CHECK-NEXT:          schedule.for [d1] by 1 vector {
// CHECK-NEXT:            schedule.run out
// CHECK-NEXT:          }
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:  }
func.func @narrow(%x: tensor<50x100x4xf32>, %b: tensor<50x100xf32>) -> tensor<100x4xf32> {
  %c = opc.reshape %b : tensor<50x100xf32> -> tensor<50x100x1xf32>
  %d = opc.sub %x, %c
  %r = opc.reduce_max %d {axes = [0]}
  return %r : tensor<100x4xf32>
}

// More columns than a block has are one lane; of fewer, one block has all.
// CHECK-LABEL: func.func @unknown_columns(
// CHECK:       schedule.tree {
// CHECK-NEXT:    schedule.if <atleast(N, 1025)> "one lane" {
// CHECK-NEXT:      schedule.for [d0] by 1024 parallel {
// CHECK-NEXT:        schedule.run init 0
// CHECK-NEXT:        schedule.for [d1] by 128 serial {
// CHECK-NEXT:          schedule.for [d1] by 8 serial {
// CHECK-NEXT:            schedule.for [d0] by 1 vector {
// CHECK-NEXT:              schedule.for [d1] by 1 unroll {
// CHECK-NEXT:                schedule.run step 0
// CHECK-NEXT:              }
// CHECK-NEXT:            }
// CHECK-NEXT:          }
// CHECK-NEXT:        }
// CHECK-NEXT:        schedule.run finish 0
// CHECK-NEXT:        schedule.for [d0] by 1 vector {
// CHECK-NEXT:          schedule.run out
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:    } else "more lanes" {
// CHECK-NEXT:      schedule.for [d0] by 1024 serial {
// CHECK-NEXT:        schedule.run init 0
// CHECK-NEXT:        schedule.for [d1] by <max(max(1, pow2(floordiv(65536,
// CHECK-NEXT:          schedule.for [d1] by <pow2(floordiv(64, max(N, 1)))*128>
// CHECK-NEXT:            schedule.for [d1] by <pow2(floordiv(64, max(N, 1)))*8>
// CHECK-NEXT:              schedule.for [d1] by <pow2(floordiv(64, max(N, 1)))>
// CHECK-NEXT:                schedule.for [d0] by 1 vector {
// CHECK-NEXT:                  schedule.for [d1] by 1 unroll {
// CHECK-NEXT:                    schedule.run step 0
// CHECK-NEXT:                  }
// CHECK-NEXT:                }
// CHECK-NEXT:              }
// CHECK-NEXT:            }
// CHECK-NEXT:          }
// CHECK-NEXT:        }
// CHECK-NEXT:        schedule.run finish 0
// CHECK-NEXT:        schedule.for [d0] by 1 vector {
// CHECK-NEXT:          schedule.run out
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:  }
func.func @unknown_columns(%x: tensor<?x?xf32, #opc.dims<M, N>>) -> tensor<?xf32, #opc.dims<N>> {
  %r = opc.reduce_sum %x {axes = [0]}
  return %r : tensor<?xf32, #opc.dims<N>>
}

// Short rows are turned around, others go one by one.
// CHECK-LABEL: func.func @unknown_rows(
// CHECK:       schedule.tree {
// CHECK-NEXT:    schedule.if <-atleast(N, 33) + 1> "short rows side by side" {
// CHECK-NEXT:      schedule.for [d0] by 64 parallel {
// CHECK-NEXT:        schedule.pack_rows
// CHECK-NEXT:        schedule.run init 0
// CHECK-NEXT:        schedule.for [d1] by 1 serial {
// CHECK-NEXT:          schedule.for [d0] by 1 vector {
// CHECK-NEXT:            schedule.run value 0
// CHECK-NEXT:          }
// CHECK-NEXT:        }
// CHECK-NEXT:        schedule.for [d0] by 1 vector {
// CHECK-NEXT:          schedule.for [d1] by 1 unroll pad <8, 16> {
// CHECK-NEXT:            schedule.run step 0
// CHECK-NEXT:          }
// CHECK-NEXT:        }
// CHECK-NEXT:        schedule.run finish 0
// CHECK-NEXT:        schedule.for [d0] by 1 vector {
// CHECK-NEXT:          schedule.run out
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:    } else "longer rows" {
// CHECK-NEXT:      schedule.for [d0] by 1 parallel {
// CHECK-NEXT:        schedule.run init 0
// CHECK-NEXT:        schedule.for [d1] by 8192 serial {
// CHECK-NEXT:          schedule.for [d1] by 512 serial {
// CHECK-NEXT:            schedule.for [d1] by 128 unroll {
// CHECK-NEXT:              schedule.for [d1] by 64 lanes {
// CHECK-NEXT:                schedule.for [d1] by 1 unroll {
// CHECK-NEXT:                  schedule.run step 0
// CHECK-NEXT:                }
// CHECK-NEXT:              }
// CHECK-NEXT:            }
// CHECK-NEXT:          }
// CHECK-NEXT:        }
// CHECK-NEXT:        schedule.run finish 0
// CHECK-NEXT:        schedule.run out
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:  }
func.func @unknown_rows(%x: tensor<?x?xf32, #opc.dims<M, N>>) -> tensor<?xf32, #opc.dims<M>> {
  %r = opc.reduce_sum %x {axes = [1]}
  return %r : tensor<?xf32, #opc.dims<M>>
}

// Each sweep of a norm takes 16 rows before the next one begins; longer rows go one by one.
// CHECK-LABEL: func.func @norm(
// CHECK:       schedule.tree {
// CHECK-NEXT:    schedule.if <-atleast(N, 33) + 1> "short rows side by side" {
// CHECK-NEXT:      schedule.for [d0] by 64 parallel {
// CHECK-NEXT:        schedule.pack_rows
// CHECK-NEXT:        schedule.run init 0
// CHECK-NEXT:        schedule.for [d1] by 1 serial {
// CHECK-NEXT:          schedule.for [d0] by 1 vector {
// CHECK-NEXT:            schedule.run value 0
// CHECK-NEXT:          }
// CHECK-NEXT:        }
// CHECK-NEXT:        schedule.for [d0] by 1 vector {
// CHECK-NEXT:          schedule.for [d1] by 1 unroll pad <8, 16> {
// CHECK-NEXT:            schedule.run step 0
// CHECK-NEXT:          }
// CHECK-NEXT:        }
// CHECK-NEXT:        schedule.run finish 0
// CHECK-NEXT:        schedule.run init 1
// CHECK-NEXT:        schedule.for [d1] by 1 serial {
// CHECK-NEXT:          schedule.for [d0] by 1 vector {
// CHECK-NEXT:            schedule.run step 1
// CHECK-NEXT:          }
// CHECK-NEXT:        }
// CHECK-NEXT:        schedule.for [d0] by 1 vector {
// CHECK-NEXT:          schedule.run out
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:    } else "longer rows" {
// CHECK-NEXT:      schedule.if <-atleast(N, 129) + 1> "rows of a block sweep by
// CHECK-NEXT:        schedule.for [d0] by 16 parallel {
// CHECK-NEXT:          schedule.for [d0] by 1 serial {
// CHECK-NEXT:            schedule.run init 0
// CHECK-NEXT:            schedule.for [d1] by 8192 serial {
// CHECK-NEXT:              schedule.for [d1] by 512 serial {
// CHECK-NEXT:                schedule.for [d1] by 128 unroll {
// CHECK-NEXT:                  schedule.for [d1] by 64 lanes {
// CHECK-NEXT:                    schedule.for [d1] by 1 unroll {
// CHECK-NEXT:                      schedule.run step 0
// CHECK-NEXT:                    }
// CHECK-NEXT:                  }
// CHECK-NEXT:                }
// CHECK-NEXT:              }
// CHECK-NEXT:            }
// CHECK-NEXT:            schedule.run finish 0
// CHECK-NEXT:          }
// CHECK-NEXT:          schedule.for [d0] by 1 serial {
// CHECK-NEXT:            schedule.run init 1
// CHECK-NEXT:            schedule.for [d1] by 1 vector {
// CHECK-NEXT:              schedule.run step 1
// CHECK-NEXT:            }
// CHECK-NEXT:          }
// CHECK-NEXT:          schedule.for [d0] by 1 vector {
// CHECK-NEXT:            schedule.run out
// CHECK-NEXT:          }
// CHECK-NEXT:        }
// CHECK-NEXT:      } else "long rows" {
// CHECK-NEXT:        schedule.for [d0] by 1 parallel {
// CHECK-NEXT:          schedule.run init 0
// CHECK-NEXT:          schedule.for [d1] by 8192 serial {
// CHECK-NEXT:            schedule.for [d1] by 512 serial {
// CHECK-NEXT:              schedule.for [d1] by 128 unroll {
// CHECK-NEXT:                schedule.for [d1] by 64 lanes {
// CHECK-NEXT:                  schedule.for [d1] by 1 unroll {
// CHECK-NEXT:                    schedule.run step 0
// CHECK-NEXT:                  }
// CHECK-NEXT:                }
// CHECK-NEXT:              }
// CHECK-NEXT:            }
// CHECK-NEXT:          }
// CHECK-NEXT:          schedule.run finish 0
// CHECK-NEXT:          schedule.run init 1
// CHECK-NEXT:          schedule.for [d1] by 1 vector {
// CHECK-NEXT:            schedule.run step 1
// CHECK-NEXT:          }
// CHECK-NEXT:          schedule.run out
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:  }
func.func @norm(%x: tensor<?x?xf32, #opc.dims<M, N>>) -> tensor<?x?xf32, #opc.dims<M, N>> {
  %q = opc.mul %x, %x
  %v = opc.reduce_sum %q {axes = [1], keepdims = true}
  %s = opc.sqrt %v
  %r = opc.div %x, %s
  return %r : tensor<?x?xf32, #opc.dims<M, N>>
}

// Functions of the next row are computed beside the last sweep of a row.
// CHECK-LABEL: func.func @softmax(
// CHECK:       schedule.tree {
// CHECK-NEXT:    schedule.for [d0] by 64 parallel {
// CHECK-NEXT:      schedule.pipeline [d0] sweep 1 by 64 {
// CHECK-NEXT:        schedule.run init 0
// CHECK-NEXT:        schedule.for [d1] by 64 serial {
// CHECK-NEXT:          schedule.for [d1] by 64 lanes {
// CHECK-NEXT:            schedule.run step 0
// CHECK-NEXT:          }
// CHECK-NEXT:        }
// CHECK-NEXT:        schedule.run finish 0
// CHECK-NEXT:        schedule.run init 1
// CHECK-NEXT:        schedule.for [d1] by 512 serial {
// CHECK-NEXT:          schedule.for [d1] by 1 vector {
// CHECK-NEXT:            schedule.run value 1
// CHECK-NEXT:          }
// CHECK-NEXT:          schedule.for [d1] by 64 lanes {
// CHECK-NEXT:            schedule.for [d1] by 1 unroll {
// CHECK-NEXT:              schedule.run step 1
// CHECK-NEXT:            }
// CHECK-NEXT:          }
// CHECK-NEXT:        }
// CHECK-NEXT:        schedule.run finish 1
// CHECK-NEXT:      } beside {
// CHECK-NEXT:        schedule.run init 2
// CHECK-NEXT:        schedule.for [d1] by 1 vector {
// CHECK-NEXT:          schedule.run step 2
// CHECK-NEXT:        }
// CHECK-NEXT:        schedule.run out
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:  }
func.func @softmax(%x: tensor<?x1000xf32, #opc.dims<M, 1000>>) -> tensor<?x1000xf32, #opc.dims<M, 1000>> {
  %m = opc.reduce_max %x {axes = [1], keepdims = true}
  %d = opc.sub %x, %m
  %e = opc.exp %d
  %s = opc.reduce_sum %e {axes = [1], keepdims = true}
  %r = opc.div %e, %s
  return %r : tensor<?x1000xf32, #opc.dims<M, 1000>>
}

// What comes from memory, and is several blocks of the order, is read just as it lies.
// CHECK-LABEL: func.func @long(
// CHECK:       schedule.tree {
// CHECK-NEXT:    schedule.run init 0
// CHECK-NEXT:    schedule.for [d0, d1] by 1048576 parallel {
// CHECK-NEXT:      schedule.for [d0, d1] by 8192 serial {
// CHECK-NEXT:        schedule.for [d0, d1] by 512 serial {
// CHECK-NEXT:          schedule.for [d0, d1] by 64 unroll {
// CHECK-NEXT:            schedule.for [d0, d1] by 64 lanes {
// CHECK-NEXT:              schedule.run step 0
// CHECK-NEXT:            }
// CHECK-NEXT:          }
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    schedule.run finish 0
// CHECK-NEXT:    schedule.run out
// CHECK-NEXT:  }
func.func @long(%x: tensor<4096x4096xf32>) -> tensor<f32> {
  %r = opc.reduce_sum %x {axes = [0, 1], keepdims = false}
  return %r : tensor<f32>
}

// Totals along rows: chains of a few rows side by side.
// CHECK-LABEL: func.func @totals_of_rows(
// CHECK:       schedule.tree {
// CHECK-NEXT:    schedule.for [d0] by 4 parallel {
// CHECK-NEXT:      schedule.run init 0
// CHECK-NEXT:      schedule.for [d1] by 1 serial {
// CHECK-NEXT:        schedule.for [d0] by 1 unroll {
// CHECK-NEXT:          schedule.run step 0
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:      schedule.for [d0] by 1 vector {
// CHECK-NEXT:        schedule.run out
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:  }
func.func @totals_of_rows(%x: tensor<?x?xf32, #opc.dims<N, M>>) -> tensor<?x?xf32, #opc.dims<N, M>> {
  %r = opc.cum_sum %x {axis = 1}
  return %r : tensor<?x?xf32, #opc.dims<N, M>>
}

// Down columns: vectors along them.
// CHECK-LABEL: func.func @totals_of_columns(
// CHECK:       schedule.tree {
// CHECK-NEXT:    schedule.for [d0] by 1 parallel {
// CHECK-NEXT:      schedule.for [d1] by 64 serial {
// CHECK-NEXT:        schedule.run init 0
// CHECK-NEXT:        schedule.for [d2] by 4 serial {
// CHECK-NEXT:          schedule.for [d1] by 1 vector {
// CHECK-NEXT:            schedule.for [d2] by 1 unroll {
// CHECK-NEXT:              schedule.run step 0
// CHECK-NEXT:            }
// CHECK-NEXT:          }
// CHECK-NEXT:        }
// CHECK-NEXT:        schedule.for [d1] by 1 vector {
// CHECK-NEXT:          schedule.run out
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:  }
func.func @totals_of_columns(%x: tensor<16x512x64xf32>) -> tensor<16x512x64xf32> {
  %r = opc.cum_sum %x {axis = 1}
  return %r : tensor<16x512x64xf32>
}

// Of one row there is one chain.
// CHECK-LABEL: func.func @totals_of_one(
// CHECK:       schedule.tree {
// CHECK-NEXT:    schedule.run init 0
// CHECK-NEXT:    schedule.for [d1] by 1 serial {
// CHECK-NEXT:      schedule.run step 0
// CHECK-NEXT:    }
// CHECK-NEXT:    schedule.run out
// CHECK-NEXT:  }
func.func @totals_of_one(%x: tensor<1x1000xf32>) -> tensor<1x1000xf32> {
  %r = opc.cum_sum %x {axis = 1}
  return %r : tensor<1x1000xf32>
}
