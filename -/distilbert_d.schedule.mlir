builtin.module {
  func.func @main(%x: memref<?x?xi64, #opc.dims<batch, length>>, %mask: memref<?x?xi64, #opc.dims<batch, length>>, %out0: memref<?x?x768xf32, #opc.dims<batch, bcast(length, min(length, 512)), 768>>, %workspace: memref<?xi8>) attributes {opc.input_names = ["x", "mask"], opc.result_names = ["layer_norm_12"], opc.outputs = 1 : i64, opc.workspace = #opc.index<batch*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length*256 + batch*bcast(length, min(length, 512))*27648 + batch*length*3072 + floordiv(batch*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length*length*4 + 63, 64)*128 + floordiv(batch*length + 63, 64)*128 + floordiv(batch*length*16 + 63, 64)*64 + floordiv(batch*length*8 + 63, 64)*128 + floordiv(min(length, 512)*8 + 63, 64)*64 + min(length, 512)*3072>, opc.machine = "native: 32 vectors of 64 bytes, fma, caches of 32/1024/32768 KiB"} {
    %slice = loop.slice %workspace[0] : memref<1x?xi64, #opc.dims<1, min(length, 512)>>
    %_to_copy = loop.slice %workspace[floordiv(min(length, 512)*8 + 63, 64)*64] : memref<?x?xi1, #opc.dims<batch, length>>
    %val = loop.slice %workspace[floordiv(batch*length + 63, 64)*64 + floordiv(min(length, 512)*8 + 63, 64)*64] : memref<?x1x1x?xi64, #opc.dims<batch, 1, 1, length>>
    %val_1 = loop.slice %workspace[floordiv(batch*length + 63, 64)*64 + floordiv(batch*length*8 + 63, 64)*64 + floordiv(min(length, 512)*8 + 63, 64)*64] : memref<?x1x1x?xi64, #opc.dims<batch, 1, 1, length>>
    %embedding = loop.slice %workspace[floordiv(batch*length + 63, 64)*64 + floordiv(batch*length*8 + 63, 64)*128 + floordiv(min(length, 512)*8 + 63, 64)*64] : memref<?x?x768xf32, #opc.dims<batch, length, 768>>
    %val_2 = loop.slice %workspace[batch*length*3072 + floordiv(batch*length + 63, 64)*64 + floordiv(batch*length*8 + 63, 64)*128 + floordiv(min(length, 512)*8 + 63, 64)*64] : memref<?x1x1x?x2xi64, #opc.dims<batch, 1, 1, length, 2>>
    %embedding_1 = loop.slice %workspace[batch*length*3072 + floordiv(batch*length + 63, 64)*64 + floordiv(batch*length*16 + 63, 64)*64 + floordiv(batch*length*8 + 63, 64)*128 + floordiv(min(length, 512)*8 + 63, 64)*64] : memref<1x?x768xf32, #opc.dims<1, min(length, 512), 768>>
    %0 = loop.slice %workspace[floordiv(batch*length + 63, 64)*64 + floordiv(min(length, 512)*8 + 63, 64)*64] : memref<?x1x1x?x1xi64, #opc.dims<batch, 1, 1, length, 1>>
    %1 = loop.slice %workspace[floordiv(batch*length + 63, 64)*64 + floordiv(batch*length*8 + 63, 64)*64 + floordiv(min(length, 512)*8 + 63, 64)*64] : memref<?x1x1x?x1xi64, #opc.dims<batch, 1, 1, length, 1>>
    %val_3 = loop.slice %workspace[batch*length*3072 + floordiv(batch*length + 63, 64)*64 + floordiv(batch*length*16 + 63, 64)*64 + floordiv(batch*length*8 + 63, 64)*128 + floordiv(min(length, 512)*8 + 63, 64)*64 + min(length, 512)*3072] : memref<?x?x768xf32, #opc.dims<batch, bcast(length, min(length, 512)), 768>>
    %val_4 = loop.slice %workspace[batch*bcast(length, min(length, 512))*3072 + batch*length*3072 + floordiv(batch*length + 63, 64)*64 + floordiv(batch*length*16 + 63, 64)*64 + floordiv(batch*length*8 + 63, 64)*128 + floordiv(min(length, 512)*8 + 63, 64)*64 + min(length, 512)*3072] : memref<?x?x768xf32, #opc.dims<batch, bcast(length, min(length, 512)), 768>>
    %val_5 = loop.slice %workspace[batch*bcast(length, min(length, 512))*6144 + batch*length*3072 + floordiv(batch*length + 63, 64)*64 + floordiv(batch*length*16 + 63, 64)*64 + floordiv(batch*length*8 + 63, 64)*128 + floordiv(min(length, 512)*8 + 63, 64)*64 + min(length, 512)*3072] : memref<?x?x768xf32, #opc.dims<batch, bcast(length, min(length, 512)), 768>>
    %transpose = loop.slice %workspace[batch*bcast(length, min(length, 512))*9216 + batch*length*3072 + floordiv(batch*length + 63, 64)*64 + floordiv(batch*length*16 + 63, 64)*64 + floordiv(batch*length*8 + 63, 64)*128 + floordiv(min(length, 512)*8 + 63, 64)*64 + min(length, 512)*3072] : memref<?x?x?x64xf32, #opc.dims<batch, floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64), length, 64>>
    %val_6 = loop.slice %workspace[batch*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length*256 + batch*bcast(length, min(length, 512))*9216 + batch*length*3072 + floordiv(batch*length + 63, 64)*64 + floordiv(batch*length*16 + 63, 64)*64 + floordiv(batch*length*8 + 63, 64)*128 + floordiv(min(length, 512)*8 + 63, 64)*64 + min(length, 512)*3072] : memref<?x1x1x?xi1, #opc.dims<batch, 1, 1, length>>
    %val_7 = loop.slice %workspace[batch*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length*256 + batch*bcast(length, min(length, 512))*9216 + batch*length*3072 + floordiv(batch*length + 63, 64)*128 + floordiv(batch*length*16 + 63, 64)*64 + floordiv(batch*length*8 + 63, 64)*128 + floordiv(min(length, 512)*8 + 63, 64)*64 + min(length, 512)*3072] : memref<?x?x?x?xf32, #opc.dims<batch, floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64), length, length>>
    %val_8 = loop.slice %workspace[batch*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length*256 + batch*bcast(length, min(length, 512))*9216 + batch*length*3072 + floordiv(batch*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length*length*4 + 63, 64)*64 + floordiv(batch*length + 63, 64)*128 + floordiv(batch*length*16 + 63, 64)*64 + floordiv(batch*length*8 + 63, 64)*128 + floordiv(min(length, 512)*8 + 63, 64)*64 + min(length, 512)*3072] : memref<?x?x?x?xf32, #opc.dims<batch, floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64), length, length>>
    %scaled_dot_product_attention = loop.slice %workspace[batch*bcast(length, min(length, 512))*9216 + batch*length*3072 + floordiv(batch*length + 63, 64)*64 + floordiv(batch*length*16 + 63, 64)*64 + floordiv(batch*length*8 + 63, 64)*128 + floordiv(min(length, 512)*8 + 63, 64)*64 + min(length, 512)*3072] : memref<?x?x?x64xf32, #opc.dims<batch, floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64), length, 64>>
    %val_9 = loop.slice %workspace[floordiv(batch*length + 63, 64)*64 + floordiv(batch*length*8 + 63, 64)*128 + floordiv(min(length, 512)*8 + 63, 64)*64] : memref<?x?x768xf32, #opc.dims<batch, length, 768>>
    %layer_norm = loop.slice %workspace[batch*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length*256 + batch*bcast(length, min(length, 512))*9216 + batch*length*3072 + floordiv(batch*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length*length*4 + 63, 64)*128 + floordiv(batch*length + 63, 64)*128 + floordiv(batch*length*16 + 63, 64)*64 + floordiv(batch*length*8 + 63, 64)*128 + floordiv(min(length, 512)*8 + 63, 64)*64 + min(length, 512)*3072] : memref<?x?x768xf32, #opc.dims<batch, bcast(length, min(length, 512)), 768>>
    %gelu = loop.slice %workspace[batch*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length*256 + batch*bcast(length, min(length, 512))*12288 + batch*length*3072 + floordiv(batch*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length*length*4 + 63, 64)*128 + floordiv(batch*length + 63, 64)*128 + floordiv(batch*length*16 + 63, 64)*64 + floordiv(batch*length*8 + 63, 64)*128 + floordiv(min(length, 512)*8 + 63, 64)*64 + min(length, 512)*3072] : memref<?x?x3072xf32, #opc.dims<batch, bcast(length, min(length, 512)), 3072>>
    %val_10 = loop.slice %workspace[batch*length*3072 + floordiv(batch*length + 63, 64)*64 + floordiv(batch*length*16 + 63, 64)*64 + floordiv(batch*length*8 + 63, 64)*128 + floordiv(min(length, 512)*8 + 63, 64)*64 + min(length, 512)*3072] : memref<?x?x768xf32, #opc.dims<batch, bcast(length, min(length, 512)), 768>>
    %val_11 = loop.slice %workspace[batch*bcast(length, min(length, 512))*3072 + batch*length*3072 + floordiv(batch*length + 63, 64)*64 + floordiv(batch*length*16 + 63, 64)*64 + floordiv(batch*length*8 + 63, 64)*128 + floordiv(min(length, 512)*8 + 63, 64)*64 + min(length, 512)*3072] : memref<?x?x768xf32, #opc.dims<batch, bcast(length, min(length, 512)), 768>>
    %val_12 = loop.slice %workspace[batch*bcast(length, min(length, 512))*6144 + batch*length*3072 + floordiv(batch*length + 63, 64)*64 + floordiv(batch*length*16 + 63, 64)*64 + floordiv(batch*length*8 + 63, 64)*128 + floordiv(min(length, 512)*8 + 63, 64)*64 + min(length, 512)*3072] : memref<?x?x768xf32, #opc.dims<batch, bcast(length, min(length, 512)), 768>>
    %transpose_1 = loop.slice %workspace[batch*bcast(length, min(length, 512))*9216 + batch*length*3072 + floordiv(batch*length + 63, 64)*64 + floordiv(batch*length*16 + 63, 64)*64 + floordiv(batch*length*8 + 63, 64)*128 + floordiv(min(length, 512)*8 + 63, 64)*64 + min(length, 512)*3072] : memref<?x?x?x64xf32, #opc.dims<batch, floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64), length, 64>>
    %val_13 = loop.slice %workspace[batch*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length*256 + batch*bcast(length, min(length, 512))*9216 + batch*length*3072 + floordiv(batch*length + 63, 64)*128 + floordiv(batch*length*16 + 63, 64)*64 + floordiv(batch*length*8 + 63, 64)*128 + floordiv(min(length, 512)*8 + 63, 64)*64 + min(length, 512)*3072] : memref<?x?x?x?xf32, #opc.dims<batch, floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64), length, length>>
    %val_14 = loop.slice %workspace[batch*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length*256 + batch*bcast(length, min(length, 512))*9216 + batch*length*3072 + floordiv(batch*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length*length*4 + 63, 64)*64 + floordiv(batch*length + 63, 64)*128 + floordiv(batch*length*16 + 63, 64)*64 + floordiv(batch*length*8 + 63, 64)*128 + floordiv(min(length, 512)*8 + 63, 64)*64 + min(length, 512)*3072] : memref<?x?x?x?xf32, #opc.dims<batch, floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64), length, length>>
    %scaled_dot_product_attention_1 = loop.slice %workspace[batch*bcast(length, min(length, 512))*9216 + batch*length*3072 + floordiv(batch*length + 63, 64)*64 + floordiv(batch*length*16 + 63, 64)*64 + floordiv(batch*length*8 + 63, 64)*128 + floordiv(min(length, 512)*8 + 63, 64)*64 + min(length, 512)*3072] : memref<?x?x?x64xf32, #opc.dims<batch, floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64), length, 64>>
    %val_15 = loop.slice %workspace[floordiv(batch*length + 63, 64)*64 + floordiv(batch*length*8 + 63, 64)*128 + floordiv(min(length, 512)*8 + 63, 64)*64] : memref<?x?x768xf32, #opc.dims<batch, length, 768>>
    %val_16 = loop.slice %workspace[batch*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length*256 + batch*bcast(length, min(length, 512))*24576 + batch*length*3072 + floordiv(batch*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length*length*4 + 63, 64)*128 + floordiv(batch*length + 63, 64)*128 + floordiv(batch*length*16 + 63, 64)*64 + floordiv(batch*length*8 + 63, 64)*128 + floordiv(min(length, 512)*8 + 63, 64)*64 + min(length, 512)*3072] : memref<?x?x768xf32, #opc.dims<batch, bcast(length, min(length, 512)), 768>>
    %gelu_1 = loop.slice %workspace[batch*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length*256 + batch*bcast(length, min(length, 512))*12288 + batch*length*3072 + floordiv(batch*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length*length*4 + 63, 64)*128 + floordiv(batch*length + 63, 64)*128 + floordiv(batch*length*16 + 63, 64)*64 + floordiv(batch*length*8 + 63, 64)*128 + floordiv(min(length, 512)*8 + 63, 64)*64 + min(length, 512)*3072] : memref<?x?x3072xf32, #opc.dims<batch, bcast(length, min(length, 512)), 3072>>
    %val_17 = loop.slice %workspace[batch*length*3072 + floordiv(batch*length + 63, 64)*64 + floordiv(batch*length*16 + 63, 64)*64 + floordiv(batch*length*8 + 63, 64)*128 + floordiv(min(length, 512)*8 + 63, 64)*64 + min(length, 512)*3072] : memref<?x?x768xf32, #opc.dims<batch, bcast(length, min(length, 512)), 768>>
    %val_18 = loop.slice %workspace[batch*bcast(length, min(length, 512))*3072 + batch*length*3072 + floordiv(batch*length + 63, 64)*64 + floordiv(batch*length*16 + 63, 64)*64 + floordiv(batch*length*8 + 63, 64)*128 + floordiv(min(length, 512)*8 + 63, 64)*64 + min(length, 512)*3072] : memref<?x?x768xf32, #opc.dims<batch, bcast(length, min(length, 512)), 768>>
    %val_19 = loop.slice %workspace[batch*bcast(length, min(length, 512))*6144 + batch*length*3072 + floordiv(batch*length + 63, 64)*64 + floordiv(batch*length*16 + 63, 64)*64 + floordiv(batch*length*8 + 63, 64)*128 + floordiv(min(length, 512)*8 + 63, 64)*64 + min(length, 512)*3072] : memref<?x?x768xf32, #opc.dims<batch, bcast(length, min(length, 512)), 768>>
    %transpose_2 = loop.slice %workspace[batch*bcast(length, min(length, 512))*9216 + batch*length*3072 + floordiv(batch*length + 63, 64)*64 + floordiv(batch*length*16 + 63, 64)*64 + floordiv(batch*length*8 + 63, 64)*128 + floordiv(min(length, 512)*8 + 63, 64)*64 + min(length, 512)*3072] : memref<?x?x?x64xf32, #opc.dims<batch, floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64), length, 64>>
    %val_20 = loop.slice %workspace[batch*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length*256 + batch*bcast(length, min(length, 512))*9216 + batch*length*3072 + floordiv(batch*length + 63, 64)*128 + floordiv(batch*length*16 + 63, 64)*64 + floordiv(batch*length*8 + 63, 64)*128 + floordiv(min(length, 512)*8 + 63, 64)*64 + min(length, 512)*3072] : memref<?x?x?x?xf32, #opc.dims<batch, floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64), length, length>>
    %val_21 = loop.slice %workspace[batch*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length*256 + batch*bcast(length, min(length, 512))*9216 + batch*length*3072 + floordiv(batch*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length*length*4 + 63, 64)*64 + floordiv(batch*length + 63, 64)*128 + floordiv(batch*length*16 + 63, 64)*64 + floordiv(batch*length*8 + 63, 64)*128 + floordiv(min(length, 512)*8 + 63, 64)*64 + min(length, 512)*3072] : memref<?x?x?x?xf32, #opc.dims<batch, floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64), length, length>>
    %scaled_dot_product_attention_2 = loop.slice %workspace[batch*bcast(length, min(length, 512))*9216 + batch*length*3072 + floordiv(batch*length + 63, 64)*64 + floordiv(batch*length*16 + 63, 64)*64 + floordiv(batch*length*8 + 63, 64)*128 + floordiv(min(length, 512)*8 + 63, 64)*64 + min(length, 512)*3072] : memref<?x?x?x64xf32, #opc.dims<batch, floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64), length, 64>>
    %val_22 = loop.slice %workspace[floordiv(batch*length + 63, 64)*64 + floordiv(batch*length*8 + 63, 64)*128 + floordiv(min(length, 512)*8 + 63, 64)*64] : memref<?x?x768xf32, #opc.dims<batch, length, 768>>
    %val_23 = loop.slice %workspace[batch*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length*256 + batch*bcast(length, min(length, 512))*9216 + batch*length*3072 + floordiv(batch*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length*length*4 + 63, 64)*128 + floordiv(batch*length + 63, 64)*128 + floordiv(batch*length*16 + 63, 64)*64 + floordiv(batch*length*8 + 63, 64)*128 + floordiv(min(length, 512)*8 + 63, 64)*64 + min(length, 512)*3072] : memref<?x?x768xf32, #opc.dims<batch, bcast(length, min(length, 512)), 768>>
    %gelu_2 = loop.slice %workspace[batch*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length*256 + batch*bcast(length, min(length, 512))*12288 + batch*length*3072 + floordiv(batch*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length*length*4 + 63, 64)*128 + floordiv(batch*length + 63, 64)*128 + floordiv(batch*length*16 + 63, 64)*64 + floordiv(batch*length*8 + 63, 64)*128 + floordiv(min(length, 512)*8 + 63, 64)*64 + min(length, 512)*3072] : memref<?x?x3072xf32, #opc.dims<batch, bcast(length, min(length, 512)), 3072>>
    %val_24 = loop.slice %workspace[batch*length*3072 + floordiv(batch*length + 63, 64)*64 + floordiv(batch*length*16 + 63, 64)*64 + floordiv(batch*length*8 + 63, 64)*128 + floordiv(min(length, 512)*8 + 63, 64)*64 + min(length, 512)*3072] : memref<?x?x768xf32, #opc.dims<batch, bcast(length, min(length, 512)), 768>>
    %val_25 = loop.slice %workspace[batch*bcast(length, min(length, 512))*3072 + batch*length*3072 + floordiv(batch*length + 63, 64)*64 + floordiv(batch*length*16 + 63, 64)*64 + floordiv(batch*length*8 + 63, 64)*128 + floordiv(min(length, 512)*8 + 63, 64)*64 + min(length, 512)*3072] : memref<?x?x768xf32, #opc.dims<batch, bcast(length, min(length, 512)), 768>>
    %val_26 = loop.slice %workspace[batch*bcast(length, min(length, 512))*6144 + batch*length*3072 + floordiv(batch*length + 63, 64)*64 + floordiv(batch*length*16 + 63, 64)*64 + floordiv(batch*length*8 + 63, 64)*128 + floordiv(min(length, 512)*8 + 63, 64)*64 + min(length, 512)*3072] : memref<?x?x768xf32, #opc.dims<batch, bcast(length, min(length, 512)), 768>>
    %transpose_3 = loop.slice %workspace[batch*bcast(length, min(length, 512))*9216 + batch*length*3072 + floordiv(batch*length + 63, 64)*64 + floordiv(batch*length*16 + 63, 64)*64 + floordiv(batch*length*8 + 63, 64)*128 + floordiv(min(length, 512)*8 + 63, 64)*64 + min(length, 512)*3072] : memref<?x?x?x64xf32, #opc.dims<batch, floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64), length, 64>>
    %val_27 = loop.slice %workspace[batch*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length*256 + batch*bcast(length, min(length, 512))*9216 + batch*length*3072 + floordiv(batch*length + 63, 64)*128 + floordiv(batch*length*16 + 63, 64)*64 + floordiv(batch*length*8 + 63, 64)*128 + floordiv(min(length, 512)*8 + 63, 64)*64 + min(length, 512)*3072] : memref<?x?x?x?xf32, #opc.dims<batch, floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64), length, length>>
    %val_28 = loop.slice %workspace[batch*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length*256 + batch*bcast(length, min(length, 512))*9216 + batch*length*3072 + floordiv(batch*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length*length*4 + 63, 64)*64 + floordiv(batch*length + 63, 64)*128 + floordiv(batch*length*16 + 63, 64)*64 + floordiv(batch*length*8 + 63, 64)*128 + floordiv(min(length, 512)*8 + 63, 64)*64 + min(length, 512)*3072] : memref<?x?x?x?xf32, #opc.dims<batch, floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64), length, length>>
    %scaled_dot_product_attention_3 = loop.slice %workspace[batch*bcast(length, min(length, 512))*9216 + batch*length*3072 + floordiv(batch*length + 63, 64)*64 + floordiv(batch*length*16 + 63, 64)*64 + floordiv(batch*length*8 + 63, 64)*128 + floordiv(min(length, 512)*8 + 63, 64)*64 + min(length, 512)*3072] : memref<?x?x?x64xf32, #opc.dims<batch, floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64), length, 64>>
    %val_29 = loop.slice %workspace[floordiv(batch*length + 63, 64)*64 + floordiv(batch*length*8 + 63, 64)*128 + floordiv(min(length, 512)*8 + 63, 64)*64] : memref<?x?x768xf32, #opc.dims<batch, length, 768>>
    %val_30 = loop.slice %workspace[batch*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length*256 + batch*bcast(length, min(length, 512))*24576 + batch*length*3072 + floordiv(batch*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length*length*4 + 63, 64)*128 + floordiv(batch*length + 63, 64)*128 + floordiv(batch*length*16 + 63, 64)*64 + floordiv(batch*length*8 + 63, 64)*128 + floordiv(min(length, 512)*8 + 63, 64)*64 + min(length, 512)*3072] : memref<?x?x768xf32, #opc.dims<batch, bcast(length, min(length, 512)), 768>>
    %gelu_3 = loop.slice %workspace[batch*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length*256 + batch*bcast(length, min(length, 512))*12288 + batch*length*3072 + floordiv(batch*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length*length*4 + 63, 64)*128 + floordiv(batch*length + 63, 64)*128 + floordiv(batch*length*16 + 63, 64)*64 + floordiv(batch*length*8 + 63, 64)*128 + floordiv(min(length, 512)*8 + 63, 64)*64 + min(length, 512)*3072] : memref<?x?x3072xf32, #opc.dims<batch, bcast(length, min(length, 512)), 3072>>
    %val_31 = loop.slice %workspace[batch*length*3072 + floordiv(batch*length + 63, 64)*64 + floordiv(batch*length*16 + 63, 64)*64 + floordiv(batch*length*8 + 63, 64)*128 + floordiv(min(length, 512)*8 + 63, 64)*64 + min(length, 512)*3072] : memref<?x?x768xf32, #opc.dims<batch, bcast(length, min(length, 512)), 768>>
    %val_32 = loop.slice %workspace[batch*bcast(length, min(length, 512))*3072 + batch*length*3072 + floordiv(batch*length + 63, 64)*64 + floordiv(batch*length*16 + 63, 64)*64 + floordiv(batch*length*8 + 63, 64)*128 + floordiv(min(length, 512)*8 + 63, 64)*64 + min(length, 512)*3072] : memref<?x?x768xf32, #opc.dims<batch, bcast(length, min(length, 512)), 768>>
    %val_33 = loop.slice %workspace[batch*bcast(length, min(length, 512))*6144 + batch*length*3072 + floordiv(batch*length + 63, 64)*64 + floordiv(batch*length*16 + 63, 64)*64 + floordiv(batch*length*8 + 63, 64)*128 + floordiv(min(length, 512)*8 + 63, 64)*64 + min(length, 512)*3072] : memref<?x?x768xf32, #opc.dims<batch, bcast(length, min(length, 512)), 768>>
    %transpose_4 = loop.slice %workspace[batch*bcast(length, min(length, 512))*9216 + batch*length*3072 + floordiv(batch*length + 63, 64)*64 + floordiv(batch*length*16 + 63, 64)*64 + floordiv(batch*length*8 + 63, 64)*128 + floordiv(min(length, 512)*8 + 63, 64)*64 + min(length, 512)*3072] : memref<?x?x?x64xf32, #opc.dims<batch, floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64), length, 64>>
    %val_34 = loop.slice %workspace[batch*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length*256 + batch*bcast(length, min(length, 512))*9216 + batch*length*3072 + floordiv(batch*length + 63, 64)*128 + floordiv(batch*length*16 + 63, 64)*64 + floordiv(batch*length*8 + 63, 64)*128 + floordiv(min(length, 512)*8 + 63, 64)*64 + min(length, 512)*3072] : memref<?x?x?x?xf32, #opc.dims<batch, floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64), length, length>>
    %val_35 = loop.slice %workspace[batch*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length*256 + batch*bcast(length, min(length, 512))*9216 + batch*length*3072 + floordiv(batch*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length*length*4 + 63, 64)*64 + floordiv(batch*length + 63, 64)*128 + floordiv(batch*length*16 + 63, 64)*64 + floordiv(batch*length*8 + 63, 64)*128 + floordiv(min(length, 512)*8 + 63, 64)*64 + min(length, 512)*3072] : memref<?x?x?x?xf32, #opc.dims<batch, floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64), length, length>>
    %scaled_dot_product_attention_4 = loop.slice %workspace[batch*bcast(length, min(length, 512))*9216 + batch*length*3072 + floordiv(batch*length + 63, 64)*64 + floordiv(batch*length*16 + 63, 64)*64 + floordiv(batch*length*8 + 63, 64)*128 + floordiv(min(length, 512)*8 + 63, 64)*64 + min(length, 512)*3072] : memref<?x?x?x64xf32, #opc.dims<batch, floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64), length, 64>>
    %val_36 = loop.slice %workspace[floordiv(batch*length + 63, 64)*64 + floordiv(batch*length*8 + 63, 64)*128 + floordiv(min(length, 512)*8 + 63, 64)*64] : memref<?x?x768xf32, #opc.dims<batch, length, 768>>
    %val_37 = loop.slice %workspace[batch*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length*256 + batch*bcast(length, min(length, 512))*9216 + batch*length*3072 + floordiv(batch*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length*length*4 + 63, 64)*128 + floordiv(batch*length + 63, 64)*128 + floordiv(batch*length*16 + 63, 64)*64 + floordiv(batch*length*8 + 63, 64)*128 + floordiv(min(length, 512)*8 + 63, 64)*64 + min(length, 512)*3072] : memref<?x?x768xf32, #opc.dims<batch, bcast(length, min(length, 512)), 768>>
    %gelu_4 = loop.slice %workspace[batch*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length*256 + batch*bcast(length, min(length, 512))*12288 + batch*length*3072 + floordiv(batch*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length*length*4 + 63, 64)*128 + floordiv(batch*length + 63, 64)*128 + floordiv(batch*length*16 + 63, 64)*64 + floordiv(batch*length*8 + 63, 64)*128 + floordiv(min(length, 512)*8 + 63, 64)*64 + min(length, 512)*3072] : memref<?x?x3072xf32, #opc.dims<batch, bcast(length, min(length, 512)), 3072>>
    %val_38 = loop.slice %workspace[batch*length*3072 + floordiv(batch*length + 63, 64)*64 + floordiv(batch*length*16 + 63, 64)*64 + floordiv(batch*length*8 + 63, 64)*128 + floordiv(min(length, 512)*8 + 63, 64)*64 + min(length, 512)*3072] : memref<?x?x768xf32, #opc.dims<batch, bcast(length, min(length, 512)), 768>>
    %val_39 = loop.slice %workspace[batch*bcast(length, min(length, 512))*3072 + batch*length*3072 + floordiv(batch*length + 63, 64)*64 + floordiv(batch*length*16 + 63, 64)*64 + floordiv(batch*length*8 + 63, 64)*128 + floordiv(min(length, 512)*8 + 63, 64)*64 + min(length, 512)*3072] : memref<?x?x768xf32, #opc.dims<batch, bcast(length, min(length, 512)), 768>>
    %val_40 = loop.slice %workspace[batch*bcast(length, min(length, 512))*6144 + batch*length*3072 + floordiv(batch*length + 63, 64)*64 + floordiv(batch*length*16 + 63, 64)*64 + floordiv(batch*length*8 + 63, 64)*128 + floordiv(min(length, 512)*8 + 63, 64)*64 + min(length, 512)*3072] : memref<?x?x768xf32, #opc.dims<batch, bcast(length, min(length, 512)), 768>>
    %transpose_5 = loop.slice %workspace[batch*bcast(length, min(length, 512))*9216 + batch*length*3072 + floordiv(batch*length + 63, 64)*64 + floordiv(batch*length*16 + 63, 64)*64 + floordiv(batch*length*8 + 63, 64)*128 + floordiv(min(length, 512)*8 + 63, 64)*64 + min(length, 512)*3072] : memref<?x?x?x64xf32, #opc.dims<batch, floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64), length, 64>>
    %val_41 = loop.slice %workspace[batch*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length*256 + batch*bcast(length, min(length, 512))*9216 + batch*length*3072 + floordiv(batch*length + 63, 64)*128 + floordiv(batch*length*16 + 63, 64)*64 + floordiv(batch*length*8 + 63, 64)*128 + floordiv(min(length, 512)*8 + 63, 64)*64 + min(length, 512)*3072] : memref<?x?x?x?xf32, #opc.dims<batch, floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64), length, length>>
    %val_42 = loop.slice %workspace[batch*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length*256 + batch*bcast(length, min(length, 512))*9216 + batch*length*3072 + floordiv(batch*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length*length*4 + 63, 64)*64 + floordiv(batch*length + 63, 64)*128 + floordiv(batch*length*16 + 63, 64)*64 + floordiv(batch*length*8 + 63, 64)*128 + floordiv(min(length, 512)*8 + 63, 64)*64 + min(length, 512)*3072] : memref<?x?x?x?xf32, #opc.dims<batch, floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64), length, length>>
    %scaled_dot_product_attention_5 = loop.slice %workspace[batch*bcast(length, min(length, 512))*9216 + batch*length*3072 + floordiv(batch*length + 63, 64)*64 + floordiv(batch*length*16 + 63, 64)*64 + floordiv(batch*length*8 + 63, 64)*128 + floordiv(min(length, 512)*8 + 63, 64)*64 + min(length, 512)*3072] : memref<?x?x?x64xf32, #opc.dims<batch, floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64), length, 64>>
    %val_43 = loop.slice %workspace[floordiv(batch*length + 63, 64)*64 + floordiv(batch*length*8 + 63, 64)*128 + floordiv(min(length, 512)*8 + 63, 64)*64] : memref<?x?x768xf32, #opc.dims<batch, length, 768>>
    %val_44 = loop.slice %workspace[batch*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length*256 + batch*bcast(length, min(length, 512))*24576 + batch*length*3072 + floordiv(batch*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length*length*4 + 63, 64)*128 + floordiv(batch*length + 63, 64)*128 + floordiv(batch*length*16 + 63, 64)*64 + floordiv(batch*length*8 + 63, 64)*128 + floordiv(min(length, 512)*8 + 63, 64)*64 + min(length, 512)*3072] : memref<?x?x768xf32, #opc.dims<batch, bcast(length, min(length, 512)), 768>>
    %gelu_5 = loop.slice %workspace[batch*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length*256 + batch*bcast(length, min(length, 512))*12288 + batch*length*3072 + floordiv(batch*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length*length*4 + 63, 64)*128 + floordiv(batch*length + 63, 64)*128 + floordiv(batch*length*16 + 63, 64)*64 + floordiv(batch*length*8 + 63, 64)*128 + floordiv(min(length, 512)*8 + 63, 64)*64 + min(length, 512)*3072] : memref<?x?x3072xf32, #opc.dims<batch, bcast(length, min(length, 512)), 3072>>
    opc.require broadcast<length, min(length, 512)> "opc.add: extents do not broadcast"
    opc.require divides<batch*bcast(length, min(length, 512))*768, batch*length*64> "opc.reshape: the number of elements differs"
    opc.require equal<floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*64, 768> "opc.matmul: contracted extents differ"
    %2 = loop.constant #opc.blob<tensor<8000x768xf32>, "", 0, 24576000, "737419c6b0f39f8de492f17318f89fca87a24b574739856e02ad17857d233f3e"> to memref<8000x768xf32>
    %3 = loop.constant #opc.blob<tensor<512x768xf32>, "", 0, 1572864, "1d00ac2f053621f04ee95c3d0f815a739173567d9957c05e4c53e5adc228f2b0"> to memref<512x768xf32>
    %4 = loop.constant dense<"0x144E7C3F6EBE823F340E793F7EC45C3F2AE3893FA7F1643F97CD653FCA237E3FC26E873F2EAA4E3FD30F593FCDBF683F2831743FD63E683F93F4813FEACB5D3F62056E3FD0F9773F82ED803FFEE97D3F4236883F1563863FAD92893FEE29853FAE687A3F9E20833F87CC513F38A1843F4160773F48905F3FF0DE503F4B215F3F58B58B3F2A73823F6FDF613F7486823FB8B0913F6F94873F5232763FD0D88A3F4351923F2CDB913FD79D993F7ED58F3F07689C3F48794E3FB2AC853F1DD37A3FD466613FAF75703F59AB733F39EC683F9093653F0E67723F17638C3FB29A803F36AF943F28AD973F11D08A3FC69D713FFAEE843F08CD753FD74D413F68C2783FDB91923FC688673F68288B3FF842783FC4B34B3F57696C3FA4B2733FC784853F30188C3F3F627E3FBFD9953F7BFF803F38BA843FBAE16F3FCA9F563F809C843F369F573F3B048F3FC8C98B3F7D30943FF28C9E3F8B1D8C3F7ED66D3FB345813F813E913FA9D1A13F9A8D443FD3AF8B3FB885753FB2BD763F82868B3F3BDC893FDC0E793FEB30553F05C1893F5A45913F8421923F5F0F7B3FA325883F7BE97C3FEDE97C3FBB21763FBDF38B3F3B077E3FAEB6AA3FBBF8653FD4FE773FF875863FEFEE6E3F85746C3F9938773F27BD813FD18D663FE2A2933FB6F8653FF4437F3F02148B3F287A9A3F66E3863F7543813F93E8A73FD1026D3F3A3E753FA0D6983F942C643FC7F85A3F31FE703F7B317F3F85F4733F9C2F893FF3F4703FBBAC823FA8EA773F62D6463F5740813FCAFC8A3F8E10653F2A3D693F2F258A3FFA12773F7D7C873FFD23863F00E0643F37E8793F2216903F86716A3F3094963FB4BA8C3FFD5A8E3F2130823F68584B3FF83D643F771E783FD736673F02298B3FC97E813F7677903FABBA833FF907723F4484863F0EDD883F88EB7F3F3504893F3B526B3FB0E9813F6BFE743F1D4D793FA6998E3FAEE6823FCA9C793FEE4A4E3F7B32893F4F19963F6FD4853F0B02863F236F6A3F4E0C5A3FE112653F5D2A833F31FE923FD90F903F7674863F00DB663FF1C37E3F119B8F3FAC98603FD794433F308F7A3F46A9833FD9B08A3F8DF3633F9557803FA4D4803FBBFC673F9B267E3FD75A8A3FCB7E933F866D6D3F213E663F7A57523F773D9E3FF2665A3F5D65803F4F2C8E3F90965F3F177F873FF88E823F3DFB603F60367D3F4226863F8CDF863FED0C6B3F0CC7763F00FE8E3F70CD7B3F8951823F2849723F5C695D3FB90E823FF5776A3F6B25923FEFCD7C3F15E7823FEAD4723FD2D6413F4CFE8F3F6052823FFE209A3FE8BA883FE7B1813F638F8E3F023B823F3F24703F7DA58A3F0ABA813FBD978E3FE2B4813F2AEB903F7F4E7E3F8C449F3FE662963F5D668D3F9058883FEE7A633F81F2873FC1416E3F2392413F0905803FF08A603FE1F8593FFCF4743F726C863FE222863FF183893FFD0F573F0FE5763F012F883FC1287E3F89D08D3FE14B673FC9A08E3F73655B3FFCA0753FFFE5803F2F11683FAB8D6A3F922B853F40E7843F24B6843F2F49803F420B833F8F52873F5AED913F9F364F3FD759843F52E5843FE7E37A3FF25C943F0389813F9B848C3F13C7803F834F513F3381973F4EF6833FE3D9873FB1098C3F02FCA33FE437983FE696713FD685A33F2786803FD71B9F3F2243843F6761703FC53B8B3F89986C3F29A9873F2782773FC272793F2295703FD5308B3FCA568A3F2CDE7D3F48D0743F8EBD963FCC51763F64A59C3F4CED813F8A33833F4027693FF277423FA0DF833FB2BB923FF2E25B3FAED18F3FFBB65E3F64CC813FC1807A3F8A5E3F3F58427C3F7FAA763F86EC7C3FB371713FF86B693FD2D75F3FA7AB923F17A1893F0608873F0A44883F0F797F3FD6AE8A3F23F3973FC469813F26DB8B3F912A8A3FCEE9903F4DEC8E3FC113803F5E779A3F36577B3F17735E3F8796753FD9D8663F98E85F3F19D96F3FB576663FC9B8863FA0E07B3F4739883F2640783F19A4743F6FD5743F1472873FDC49773F6517853F7E8E683FA3C89E3FA4A85D3FF90C893FA29F573F3C29853F1AD98A3FDED4863FAB7C4C3FB6D27C3F20D3903FAB6A883FF2DD313F167D483FE17C603F514B743F99706C3F15C4843FA61F5B3F51B0663FCD08A43F68498A3FD18A643FE3077B3FE4A5813F34F0593F711B783FCA3C6B3F2A10743FAD32843F205C7A3F6255813FD9C1853F35496F3FABF05C3FC25F7C3FB3516C3FFE4D833FD3A9963FD473583F94CA893FB2F4A23F51CA843F21695B3FA6DD743F56FC6F3F6045813FB88B653F28B28B3F0680A93F13207F3F8920843F19437B3F799E7B3F905F8C3F9B08583F532D913F6800883F16C1813FC8206C3F645B803F5DE98C3F6C19433F3DED723F4F4E753F1A0B823F2530873F6468783F5D0F803F81F56A3FA336933F83BF5B3FC68D7E3F77467A3FD50D533FFA7D5F3F8C848D3F93F08F3F743B8A3F7C327B3FB09A843FEB2C6D3FAC47923F3BF1873F17C6833F92F98B3F8A748A3F69AD933FC8D8763F1BEC863F260F953F70BF783F78484A3F0B57863FCFC2803FA643543F061C983FB2898B3F3327813F708A8F3F85F17F3F1C07803FF44A883F9E65863FCDB58A3F00A0883FAD20993F7172843F3221833F0586783F514A8E3F44B2503F7A30833FECE2823FE4B78A3F6A94A53F4D1D583FF938923F7D53893F4CC4583FF8107E3F92CE703F55E78A3FB3177D3F20704A3FA88F843F76008B3F8E2A653F7E2B563FF4EB8E3FB60F7A3F430E783FFF158A3F18FB7B3F8A24A03FEE00813F0A66863F2B47793F05B2853F6BE0883FEC418A3F11B5603F11C0803FC2E1843F3BCE693FE39B7E3F4A83723F52CB7C3F37EE843FEC48823FCC716A3F877F7E3F353D633F63107C3FD80D4B3FB2DD803F1DD16D3FAAEF663FE926833FE69D8F3FFD638D3F5C68773F637A343F1B07803F0EF96F3F77B98F3F83868E3F2EEB8B3FF2FF863F8C17943FD721623F8AAC843FBFA4843FF2396C3FF129833F4C66833F7794853FE1627B3F31FD663F95FD743FB3137D3F258C593F53EE793FFE9A6B3FF96E8A3F3BE3893F9E79883F7311803FD02E9A3F89038F3F5BEF803F2E2A743F082B813F0DB87B3FE2B19D3F9027833F368D8B3F5FE97A3FFA94663FDFAB943FADC2793F61307E3FE0808D3FFE41823FE5F2823FA82F753F2BD2603F4C6D643FC9267F3FF533AB3F9B4F8D3FC37D913FB2428B3FA871933F2BB2683F4CD5883FDD6B8B3FBA2A793FFC6E813F096D733F7319753FCC7E893F8118623FAA62883FEB81893F83F9933FCD7C843F3CD6913FE0716F3FC6E7853FD6026F3F4AC34E3F22FE7F3F80113A3F445D783F34808A3F87747E3F62104C3FED7F663F202B673F60BB833F07C4903F7A60673F6A7C8C3F90D0863FC8A2843F8E99843F10638D3F10B77B3FA953923F84238A3F98D6613FAB14833FA853493F6112683FF00C923F772D673FCFCB903FC7797E3F89575B3FA26E8A3FDDEE8A3F126C6D3FA8A17F3F1CA98A3F995C5D3F45816F3FB9DB793FA13F793F9099773F2760833F12DA5C3F8ABD7B3F58EF643FD246923F1DBB7C3FAF348D3FD20B963F89934E3F6914873F6F3A853F367D593F63907D3F36E6843FCADB803F3EFF553F1C44903FE63B823FA5757B3FCB58793F703C973FFA78883F04A58D3F44EA773FB0868B3F11F08B3FD7DA883F0E6F833FFDBC6C3F7299733F7C55843F70FE873F8B4C733FF515613F2AC67B3F6CAB853F8E8B743F2CF76D3F2791763F0D198B3F71C8833F45DB753F64D1833F8B1D883FDF79803F2D9B793F5B285A3F28099B3F3476843FDC59A43FAFE56E3FE09E8C3FC6F8873FE34F813F6C5E723F50C7543F1E948C3F8D91833FF9E96E3F8C1C6F3F262A813F4E1C913F84F26B3FA5477A3F0936793F8446913FAA7B953F3C6A743F6808833F1B3B613F3DAA7C3F2F416E3FFD3E783F17E17C3FA82F803F25BA893F1B1E6E3F425F813F4EC27F3FB7D2553FD8417E3F9F57953F6D7B803F130C7D3FFD5F763FC6CB773FBB31673FF5A3603F79CF783F1561873F3CA1713F6C37673F51EC7F3FC072893FDECC6A3FA4E25A3F62A67B3F7BA48E3FBB91913F29A2893F40C38B3F256B763F17515F3FAD44833FF323933F32C5773FFCFC633FFA1B8A3F5E946F3F3B8B7A3F388D923F4301743FFA00803FBD21603FD85C803F965EA13F09FE803F54FE923F908E743FE601703FE70F893FC1F9603FC9F2713F62F4713FA796883FB6FC913F0E3E833FC5228C3F8320793FB9FD843F1C05923F96AB703F5FB16B3F3393793F7CD7923F96D8693FFA14833FF9AF7B3FC21D8C3F"> : tensor<768xf32> to memref<768xf32>
    %5 = loop.constant dense<"0x93452F3E19B7A53D7F49633C0995183E4B8C22BE9896513DEEC32C3EA58BD33D0027F53C2B71723EE5D8E9BC820261BC322B84BD0A5B62BD355A26BC5BCA893DB52D70BDE2C6C53C17D8EE3CAC3B093E4854E03D384D8BBDEC1A8C3CF884813D33FA2D3DE26CEB3D0DFEDDBC0578ED3DCF93D9BD50F89E3D590A29BD0088EBBCDF9A4EBE37DD2FBDA3E06C3DEB4D0D3C53D4FB3DE99E893CDB7C033E87E597BC34030A3EFA86F1BD74E69ABD5B6E09BE47AB64BC54B1833D47E39B3D97EB653EB7A23D3C0F01C43DA609873DD802A8BD082E283D56BB1F3DE0BC77BC6450B43D8294AB3DFF83E63DADB8F0BDF383513E9A6522BE63C8073D509C32BD2434283D00B528BCC995CABDFF01163D58849ABD24580F3E29A4A13DEE1FA4BD831A183C42E20A3D23549DBDD33F24BEFBAFA2BD05F060BBF8691B3E661A38BEE7AADF3D50CBCFBBAF7DB03C0A8E58BD15967EBC0134B13DCB4516BE6D0CE33D9253A23D976CDE3DF74AB83C145A2B3D0330ECBCF0F1E0BD8AD087BDD553703DD01AFBBD8AD6203E7F4322BD2788E83CC611C3BD6D158ABDFFBEB5BC55DD80BD874DFB3CD9954BBD73EB413DC74A58BEB75F2ABCE9461C3D9D6C243DF7D77A3DCB0A4E3D5344C9BC1AEDBFBBCBEC513DD70BEDBD53DB813C1734283D6F57363D190805BDBBFC9D3D8C412B3DDBFEA43C83CF38BEB10D823DEE2739BDC2F2BFBD7DE7B0BC94D8A83D4E88833BCAB3153DB3B00ABE340E2CBD925DF8BD4BE910BED5ACB23D2001F63D93257FBD87860B3EE879B4BD37AF8ABC83A55E3D0BDB86BD03A03F3E0FFECBBD4333C3BC2CFE88BDCC67143CA3F2D93CAFF8573D23F5A13D246803BD789DCE3D5DEDEE3D6592663C5E2F863DCBBF8FBDBFBE52BC547CC8BD00F8383C9F2ED33CBB78833D0297DC3D00D809BEB5E2223EB7324BBEC37E063CBF3A8B3D4395CFBD76D1303E20DB4EBE6557F6BC8BDC6EBE8209D53C825B74BD9B9BA4BD536AC13D01EDC43C0728593C1957833D5D40EABB031793BC5260A6BDBE5C4CBD2F1037BDE21FB5BD3D2DF3BD0BF011BE4361FF3C5F3B833D7F2C12BD180190BCF62F913E0756D8BD2481213D93546C3E007B863EEF9DF93C6F92593B4C66B1BCD373A63A8DEEE43C23DC483E4F25ECBCFC2D0BBD791D3F3E2D71DD3D0D94A5BD13132A3C5B1772BC77B28E3D4F02CBBD8DC3A33D324379BC7DCC4A3C9147003E3F93E9BD3BEEAEBDB10A15BD501B00BEC568BABD470A2CBC427CF4BC50AF8E3D43EBC13D671378BD106E593D55104D3DFD53CCBD2BEA743E1B40993CA3437BBE4B8156BC55E00C3DB297573D2DAD7D3DA8E4713D6FE8C9BDABF71D3E033785BC2874FE3A808E72BD28FC1F3E3B4211BE34C7A5BE2F8190BD322E6B3E4A91C63CA1263D3D47370B3B9A60E93D05AA04BE8B3FA03D3276603C15A2933C071C2D3E0E3D1A3EDFD812BD0D1BBF3D9294703E276E673DEAF4E73B11251CBDCDDDC33CE00DF6BDAB7313BDFD737E3E9754D0BD25AAD23CE53A943CA787B6BB6D9D653EFF54813DF225263D92DB2F3E7E6F44BD4793613DC5CE713D0A97B93D50656EBDBF6DDF3DC9B0113E1EB6993D47C7EBBB05DA1A3D9DF0B4BD80FA1DBC96DA1CBCF53E38BC2565883D85761F3E8FE44EBE3361833C828767BA6335513D620D16BE7BD6823CBAF3BEBD2C2C863BEF2924BB6A0598BDC218A83C1836063E03BB5EBD44AC28BE1B267D3D0AF4D53C41153BBEC640033E33A69A3CB2908BBE3BA4563D5ED0ADBDA9C73ABE1E18043D9B8F2EBE680519BE0163103EE031EBBD230EC0BC79CE913C983FA33BEFFAEEBC1DE9F9BCBFC0483D3EFAB13DDEBF813DD0A75FBC27A5393E2766063E3D95933D422F163EAEB0243ED71F29BE8F0711BE2D8F2FBE8BA014BDDD00F13C39F118BE1AC5E8BC50F4CBBD1A7E04BEA7AEF1BD6581763D63822ABBABE1AABCC705C83C6A6D273E639E0A3CEB77DC3CE59DD9BB5F11C33C4909A43C6DBAA8BC3452C0BD393902BE30F94EBD186F903C15AB5C3DBFE700BE3F95033E22456D3D977BD1BB8B11163E1853AF3C7A0EE7BDB4F3063D2DAA68BDAD24BEBD401AF4BD1BDF1D3EABDC8D3DE22A51BD7835613B33861E3C8F19FC3C2AEA64BDD7C8C83D18C2353E5159BCBD148D18BD4381083EB4B70F3E1FBF1EBD959D643C453B9A3DB1A78DBDE16D13BE3836FEBC606D923C876DCB3D8702A6BD3F419EBCA566BBBD9DB635BD234E303E61E51A3EA8DEAC3D462E853C608DDCBDE88B7E3DEF708BBDD291C0BBCD71783C100CEDBDBC84923D9883753CCB031B3BB146CCBD568B3ABE516F193E23672DBEC7DB14BDFAF0EA3B67B2F03D0F0DCEBC75AB633B4849B73DC204ED3D95ADF0BCD600AB3D1F0A873C056FD93DBAF9713D973FA0B992C9D0BD904150BD052FD6BCDB4B263EC28804BE1A5CEB3DFB5D9B3D4D8C813C8296273EB3EFA53C23C9673D609067BE1ED423BEA7250FBE7C4631BDF7F78E3DFE932BBDAF50123E152BEABDCBD724BDB0973F3E7D908D3EC0764F3DDC6E26BEDD92A0BC409123BD8F1A633DF8C2EE3D6D82FA3DFEF439BEF85D483DD71468BD4D2290BD079D323C3B24393DB741DB3D739683BD3E4F8B3D70E197BD5427343D6DC75A3DF005CEBCBD49EEBCE6A01B3EA315DD3C4C0708BD7BE432BE7B5B2F3E70B1A33B651C8C3DBA0B533C620534BDBBB704BE6E893BBD30BE383E1A621ABEA76204BEE267E0BDADE0073DA9260B3D88D2EDBCBB25E9BC54B315BEEA8E723D2159B23DDA6C3ABD03FB623B0F7B61BDDA78923D07D4CC3D024B433DBE96ACBDDB6CA2BD05196F3D1EB024BC7B489E3C656659BD93E2FF3DACB9413E90121FBE6FE7293D8FA724BCAC15CA3C6AECCCBC4B7D28BCBF0EC3BD95D2483EEF3A5B3B0C2709BE4A52D2BD6783153D0B723CBCA784B7BD15D17ABDFBFDFDBD22FB163D871ECC3D518C923D9814D13DDB770B3E069FB13C0784C03D492B27BC4AA419BE7AB882BEBAC0E2BD11C745BDDB3BC7BDEDF4A5BD7A7111BED8BACF3CA012023E1D881D3DA3108EBD03D9633D5D88933DAF8881BD3564063CFA5BFDBDC3A73FBDF72C2DBEC32DCF3C6812E6BCFBC833BD730DEEBC1D37BB3A803CD3BC57FDA03DD66B08BE30C50F3E262CCBBDB01A6BBE8CBA19BD392B283E0A7887BC6043A6BC62022E3EC5084C3DE97211BDB9BD843E2F49DCBD107F883D4DF95A3E305429BE6892AF3D1806FEBC9C1227BE4520A7BD80E2D7BDD7376FBDD33A72BD88DC8ABD0BD2933DD506EABCDF3FB8BD3384863C8CF8843DBF4456BE229FD5BD99DC49BD5F96FC3C9DD2F03B18BCE03DCBA1E23C71551E3E80BF34BD97564B3D6ECB11BE726DD23C0C02CC3D143A1B3D50DAF73D0B8E31BDD9A5AFBD00A7A23D5493163EC4B7203E9473B63DE0A2DC3DB34425BCDF286CBE638323BC81359A3C755FFDBDCFAC7D3CC7950DBCB1FD28BDA2E7FABD5AE6A53D3D4416BD807364BE3FC38EBD3AF8763C6850723CA902913B4531963D825944BDDC77BD3DEAF188BD41290B3EAA3EFB3DB7B944BD067B0DBE487DFCBDF90605BD83E907BD8FFE023E45AAAA3C9D00D83D2DD407BEFF82523C018483BA45DBACBD52D353BE27B01E3E393237BD88EECF3DA09DD53D63B2753CF997943D8BB1B13D324324BD509A83BD49AE8ABD1AFA4F3EFB945BBDE74CE5BC9880783DC741DFBDDA12C9BDFF465DBDE737A3BDB5D2C6BDA80877BDBB27F53C7A96743D5412B9BDAD71B33B9FEF0EBD0A86F9BB17D4E13DF634043DF5C073BD05D3CC3CCAC610BDE10FB53C9B9A4BBE3B28213DBB934ABE431D713C988B37BDA8D7A53D833FDB3D2DFE2E3EAA420ABE2FF2D83B9C0D233D600A6D3EB8EC033ECAFC67BD87B96D3DFFBDBE3D23303C3E48C67FBD8DC228BE77A82CBD6BA682BD6767B73CC3D5273DD6ED283D2B4254BE87FC823C5FC53EBEF615873E9AF05A3D715E083E37941EBE2A57C13D87F9DA3D0B8C98BD3BEC67BD93ED123DE2A5A43D0FA53E3E2575D2BD8B4AED3DBFA5D63C18EA223CF6FD4B3E9562773D509595BB53E99C3D303BE43C8850FD3DDEBB363C1C249E3DBDB1F6BCA365823DCF1A58BED217803D820702BE55FBB43C1436193E94E3B3BD3FE703BED757A8BC3B51BD3D6FC054BDDEFFC33D2148A13D7853903D160C2C3E8041FBBC0088C4BD98A31DBE33291ABDFFEC823CE53BFA3DFEBDAD3DCAE8483EE8A906BB4E50B53D63FC9E3DBB09A8BD6CA60F3E2FA7BF3D08BC84BE63194DBEF48FB13C73DD163EBBE0B8BDBADD51BBE90907BDBA767B3D7702E93D8509C83D0CD015BD5BAA5F3D5AB3223D35329ABD40DF69BDE79DD13D3FA8113C"> : tensor<768xf32> to memref<768xf32>
    %6 = loop.constant dense<"0x573251BD1064EFBC977F03BE4316A4BB86E807BE4F1883BEAF9B8D3E95324FBC815490BDF57F3FBD6621353B10EDDABC1B35EC3D527D7A3C948702BD0C2485BDF8019B3CC666013E333C5DBCE0A7093E1F12F43D656A8A3D81EF25BDF7D8F2BD1565BFBD6426BC3CEA7F67BD62DB9FBDFF006FBD41F8053E7BAABF3D0E82273D2F9A3D3D9C12B73C76B7993DFEFAA33DBD1E323D2511483E2B4C863D6BE44FBDB5FFB03DDEEB303D0746C2BDC77E2EBDA69B3DBDBB0455BD8D601D3D9A62A63D1BAE7EBE1DD242BDFA164DBC0230953C549B20BD5AF45EBD8CA91ABD90CD853E8935B1BDA667B1BD8F3E89BE295D1EBE0D0B98BD4B18BE3DC3ED553CDB95C03DBB117DBDBFC0053D0387C5BDC5D9523E7A9A7B3D4437B73DBDD23B3ECB17EDBDEBF91BBED29B43BC97814C3D64008CBB2AAECC3CCBE007BEB36A323D68062CBD4BE1F13D03544DBC462DA93CC03CBA3CF82FFEBD482095BB5B75673D55FFB03CD4E62DBC751F353ED6C7303D6C69B03DFF30A3BD8F86823D0719823DC1663FBD2546D6BD238D0C3E2C19CC3D3419253DE8A7A0BC65D74DBD03F9ABBC641037BD73E5943DEF253D3DD394FC3B8B7A2BBDBD841E3E2A02C1BC0E46223EE0F4B1BDFCEE3F3E6723EA3D7D9CE1BDA30C4FBE1780B0BC3F8D973D7394C33D7C92303D07A4C4BDC4821B3E568EAEBC347C183DD524EDBC09A299BDC762883C0EF50D3E31ABC7B907A092BD8577793D75AF173D2D997C3D88C845BC7837CB3DA7C3AEBD6D0252BDB76583BD224155BC4DA941BECA8205BEF25CBA3D1386163CC7CF3BBE8244ECBD39C847BEA582D0BD35E4EF3CF01750BD847612BC20B89A3CAB26B3BDB06AE93DDCD1213D8C85993DBBDF1F3D60B953BDD96035BD03E250BCC305E1BC23EA9CBEF456153E0282C4BD7714643EAFC4EEBDF8F567BD5FEF453D148F1F3E0A355C3D4522E7BDA3EC9CBDC25B063E8FC9D13CC84B513DA6F49D3DC769483DA35B343EAC54113EAE1287BDD41EAFBB0C88BB3DEF1A523C02657EBDBB6587BD3F6C753D20BA583DCFEA1E3D404BCABD31BB8BBDD27BB13D72A38E3D3A57263DB404C73DB39BD6BC4BC6BD3CA99D8DBD2D9C40BDBF3F823D1878E9BD3BC3303D74C6BD3C271DE4BC88416B3C5071743DB82393BD16371FBECF2489BE273F183E4C4087BDDC362B3EABBA7D3EA6FDB53C6FDA17BDEBAE20BD8736C7BD3DE1043B63570C3E8391AA3CE2AF04BEB15A043E630ACE3D8A448FBDC2A5DABDBD0E823D93F301BD238557BD4537C2BD0BB615BEE230EA3CFC45BCBD650027BE9EFDC9BD902581BD3664AB3B803927BE8CAF173D08C38A3E7DDA3D3D2CF5C7BDB3A2F7BC0DB3B13DA007F43DCFAD833E502025BC9841463D50A2D0BD4C88B0BC9F9CE03C256DFCBDABD0463D17B0C43C24CD813DCDA76C3B3AB464BDF5A7D3BD7A0ED63D7AA80ABDE4A0333E2D3E3EBE3AA79CBD0275D43D0B5A7D3D75FF97BD57DD153D9D24083D90126BBCC2F3073DD9ECC73D37F6E4BD30561EBE536C08BE0047F83C25DFAB3D20CBF63C5D7BF1BDFF11A63CF364143D6F077A3DCD599BBD40EBBFBD1788F13DB5E1C73DC32FB03D0ABF1F3E858058BD55E38E3DE7A02D3C62EC193E1B13103E9B40F23D291A2A3E1FB9BFBD95EE13BD86EF213E083AF1BD638AA1BD5B252CBD1F2A9ABBABB0BF3C27DAA5BC6C8D8ABE257F933DB283C8BDB7A068BE1DC0E8BD3CFC2ABB58A2FE3D4051283D8089A9BD3A57893D961341BDEE00A03DAB7C0EBE686C93BD6385A5BD1427ACBD8B46FB3CBA6D50BE990383BD17B184BE5662213ECD17CD3C7391F8BB5727BF3DD8EAECBD186538BC7FAB773C295206BCEFCF503D209292BDDF09ADBC7B5DB23CD99910BECF1B963C3A7AA23C98C3CDBDDA3C32BD3D3BA6BCA280943C12693CBDBB57073E2A4C02BE30D2E4BDB9A1953D71B78BBCA11B063E4DE3BF3DE669BE3D6FD1C4BC6F19B8BC416FBDBB136A543D24BB29BDB3F64B3DB230F3BCE70CCB3DC51BBF3D2AA04EBD65C9DD3D640502BDA80C023ED23DA13CDBCE00BE6A4E013DABB5CABDCD18563E1F12223DEF9FD3BD53574ABE1AFFFF3C1886B4BDD1C7453D94951ABEF8A5D9BD7B9BD8BCA8F177BD4C07183D30ABCEBC7714ACBD3E029B3D588800BEBA4FF03D9FDB503CC40A863DD84A5ABD15166E3E93B072BDEC3E10BE3F17073E0C0D9EBCFC2503BC457A783EE4FA90BE73B958BDDA638FBD6F2608BB7BAD1FBDFEFA9FBD6BCE063E0B98523CB3381DBC67AE983AB750193E0BAC42BBDA379EBD15FE06BE4BD9E23D3E31AA3D5363C83C7F360A3E07090CBDB75211BEC38B953CFFEA96BB3B4A873D693024BE80EDCA3DEA82D4BDFB0C023D78B656BD3DC87B3A0A27EB3CCDBFDB3D7A06433DC5A0883C934B583CFDE65E3D5DB255BE548401BE249797BC0DA76EBDEC20203ED7B0653D23DB6FBD4716A2BDCB54493C5FF2AABDF044BF3C84C30FBE1BD67A3DF3D6AD3D0AB72D3E9E3829BE203C723D89FAC5BB0E929BBE639F1ABEE76DF5BD224A59BE7B6C0D3CC5D832BE7F15873D175ADCBD72D807BDDDEDDB3D985A5CBDA1BC41BD1DCAD63CE9A9BD3D43B8F5BD1D819F3D4D1C00BE67F0D33DBCB428BEDB91033D5A2EE73D58591ABB2B158F3C67F10ABD2C8F893DBF13FD3C8A4E58BD713442BD2DE5B7BDA071463E3FF94D3D504AA3BD9A2210BE11E83A3E0878F33BE081D7BD9829823D881FB7BDCEF031BE53DFB03CED19233D7821D83D81C9AA3DAC3D2BBCFA53EE3C8F7F27BD2B47973AF7880B3E047718BE081CF6BD620C2D3D92B108BE2B63C63D78F414BE066B82BE4F23623DD58D74BDA2BBDBBDC862833D014C0E3DA387CF3D49F8BC3CDC94B7BCC38F283D238C76BEAFA6213CB78EF33B8B7D043E7A62B03D18157ABE303FD23D8791C2BC06E1983D0FDF7E3D10630F3ECA625A3E9D4A31BD423B073E8431903D328AEABCC147A53D04A4AE3DBC5ECABDE98A033E53EE483CEFBF23BEA7ED803B5293B83DA8BAE33BC7722FBE3EB7A5BC9084CD3D333DBBBD027037BC7F999A3DA7E253BC0DEEDFBC3423963DCB0F4BBD07D1A83D5DC8763DBFF4943D241A8ABCB56FCEBDB8EF643DBF7183BD3FB73E3E4F4E7ABA2F3EB8BD2F38433C67F95A3E2236D53DDEA4C8BD13511D3ADC85003E561C18BD2BDDBEBD3BADE7BB75B8643DD74D9BBCD9FA943CB5791A3CEFD3093C43A11C3E83994ABD365E95BC354EA23D3CDF383D68ED87BDC2AFAC3CEE250ABE810FA4BD279241BC78AACE3DEDB59ABBF368683BF03DAE3D97C088BC6ADF093DC0B2FC3DBFDDF6BD1C912C3D2D278ABD28C139BE4FBDBBBDE5815ABD1BE0773BCBCF8CBCF3EA9EBDB4B10ABCEF061E3D9DDEC5BD5E752FBDBB63FE3BD37A8F3B580886BE2E113C3D7F8703BDE26F243E6225E43DC3DE19BE6B384F3E1D1DF33BF04DC6BD9B6C033EBFA7D63D5336153DB8CEC6BD7363CF3DE74DACBD77E1A7BBE30FECBD1E4747BBF864003B2D3A12BCBF9FB6BC07DDDB3C437FEA3D8314A83DF3E7943E9D70E9BD2B974A3EA3846CBACB733F3DBA348CBD641D493CF848D23A72797A3D00F1523CA95016BE4EAD9B3D82CC2D3E667737BD795E993DCF9C59BDC27A6ABD4FD9BABD658FD73D3509DFBCB02FDF3D08973FBCF9C2933EA3ABA8BD23DB4EBD4FAB393BAB3254BD5CCB483EA0788FBD183F043E4D5F6ABD4B11763D266184BCC0CFE83D2725EE3CD3262A3B5A372F3E70C4083E905537BD6743DE3C4BBCFF3D0E6A093E0CE0BA3CA33088BE004AC23D9B1A37BD88E96FBD5549E5BCC32E133E13A7ABBD23E0B5BD5BDDF7BC3009F63B7270D9BD9DC5C0BD0B2D0ABD42419A3D1259183D4F96563D90E91DBE4574CF3C171E44BD7F17E4BCE3C5B83DC50E583DEA71F6BD9F118B3D0D8BF7BDA38798BDD2BF893B525B2E3B0B6D3A3D6264AB3D368AC13D491785BDD18C1FBDC82143BDA003E93DFAC279BCB0116EBD90A9E63D597788BEDF79833DD7E8D9BCC06C56BEC4421BBE8EF5013E12759E3D7DC1303DB7B68F3D33C53C3D387E10BEF94E32BE1B93D83DA3AD883DA0FD94BDD3A3083DD045CE3DA0FC40BDA87F643C2A378B3E5D78FBBDFF95973D02A31E3D6740293E5A698D3D099F40BE9F9432BE31A7873C694E4BBEEF46D43D5E4BC03D500B71BE2D6BAEBA6BAEFB3C0D61653DF00744BD7FF291BDB8F5DD3B17C13B3D8CF0393ECA372ABE20E1DF3DF68929BD17B9E0BDD3ED43B865C723BE6FF40B3DC5ABB9BD16C502BDD5C0463EBDB7EF3CD2BE333E8F8D0CBD57546CBE654137BBEF79583E5043C7BD877CA3BA9F4DFE3DBC4C13BE1CCC83BC979C5B3D211C11BC"> : tensor<768xf32> to memref<768xf32>
    %7 = loop.constant dense<"0xD72F3D3D29F822BD1AB1223D2FC8D53BE3467FBEF27C5ABE941DBF3CBB49CEBD1158BF3DF0BEE83D7A820CBE62E049BCECD9AA3DF35A7A3CA27093BD4BFF20BDA72FE93C48D0CCBDF38CB63D9D51793CCAFD04BDAC0F38BE781AAD3E4D2C6DBDB22812BD8B63A0BD135E67BE7FE45ABD93999F3DF8668ABD6044513EE08627BED0AFFE3CAF2905BE1768C8BD7B5799BDF08DD4BDF72048BD4BA53CBD844E8FBD325D843D2D78DF3CD07CD43D0725A0BD6BB25CBB0BBB64BD37D343BE2FB7323EA57258BDAC9EA43D73E4843C0FD295BBAB52BEBD157B6A3DAB1AF3BB87FD5D3C27C9E5BDD56124BE98DB59BD43549B3DE8F214BD8D1FE8BD43E2813D6E7F34BD76CABA3CAB2DE03DC3C3FEBBA7300B3E077A19BE43E1623D552FEF3C46C297BCB862063E83DA30BD9679A73D0F77E8BCBF57BE3D1FA41C3AE32D8ABD986DF3BD16CE123E9E8A323E6324103D3A8FCCBCDFAE0ABD89AD85BDA7E52E3DCB7BE7BDC8E6E9BD120F0DBEC71890BC0244783A7343913DCCAD263E51EE33BE63C4ECBC472582BD53044B3E9893123DA71743BEEB7D6DBEC2AA493EB777C03CEF0B40BD27D4ADBD97621CBC8A8DE8BCB55741BC37D1AA3C7FADD23D15E9CD3C823190BD4ABB74BD5FFB823BD09B853D33F5623D0AA619BE0B36D03D58C3D73D4CB8B63BFD62CFBCDBB844BACB9F943C0A00F9BDC5B4073E4F9C35BE100AFD3D40C3EFBC2227093EA873D1BB32098C3A17E5C0BDBDE310BEAE481C3C2055F9BC63E57CBC8001AFBDC0273B3DED11273E5845143D2A62D23D78B3F13DBB77953DE063CE3DF971C9BD3E8711BD3839823A828DAEBC4AA4B4BD03C26D3D51299FBDCB3D8DBD97D9AD3D2D086EBD6F4B363E239F153E73EB2A3EDD0857BDE3E74B3E12B714BE613FBE3DCED88EBD21A51D3D1A5D5BBE85CC733DF539D0BB3F5E383E5FD101BDF9C8853D1E7BAB3A3BE0183E3D14343D82B5C2BDD917293D92C98B3E270608BEB69F373D1A4729BE03E024BD418210BC3FCB42BECF04AEBD501C57BD132F24BDB3CFE73D1CF3183B87147EBD7BA3823D1AA2D33D50BAC33CE0F51CBE62B16B3D857353BD2F9DE7BD8A28D03D715742BE6ACAFC3C00097C3D3016F6BDB9AB213D5D82DF3D0B561FBE69DEB53DA649873D0E011E3EBD5164BA820ED53BE3A2F43D5B2AA33D0408A6BCFA06273EE864B03C1718DCBD51E7A23DC42C183E76382E3D1DB7E83CADD324BB7C05113EF5292CBC082BFEBD8FA5ACBD0BC18B3D5AA85CBDF74E0E3D5B8BBD3D095F05BE89D845BE4D246FBE8AFA29BD3DEE303D0F89DC3D234C043E937CC03C6A106A3D2290073EF13F17BD252CDB3D9D0927BD2B6CCB3B5C63203E92B7E7BD4EBBB8BDCBBED8BC1D54A93D54390F3E43D35E3EB6B2163D7BA55E3CB67DAFBDFB05EABDBFFC0C3E46DEAB3D1945B33DD77C1B3D1B14C53CD21967BE0F25063E2A6824BE88D7A1B92798643C59F782BC1901AEBB0A24CEBC008DD73DB5A951BEE1B6C1BDD7375A3D9819533D6D11CD3CEC36C0BD87F3A6BD0198303D8FAE1EBC6B0021BE349829BDE3BF703C9C7947BDA012F5BCEC53C0BDD04222BEEC3C44BD708B0C3EEB12953CA8918BBD1B1E5237DF55D43C8AFF9B3BF1DB4BBCE5D874BD01E29A3E49C6123E7A72F0BDB4D8B53D6507E5BCAFB455BDCB368D3DCC7F8EBC594DC63C85E2563D1D52D23D43C590BD084FF4BD51BB1EBE037C44BE2B18213DCD106C3DB4C2B33D6A974F3E6DAD8DBCCC12843D056B36BEE489CCBDAB9F713C2F1BFA3DD748A1BDCA9FD8BC7FE9C7BD55C1DBBD233FBBBCFBD963BDE2E5073E2332DFBBB54F35BEB22DFDBBA9FEC13DA72C30BE03E05BBCA399793D88C31B3E1AB0A73DAEDAAFBD6F6FAEBDBCEE093E60245B3D90D5003D2C0D0FBDDBFACA3D37FBDE3DCF0CF5BD7F70973D7F4E87BDD2CA33BE746DA4BD9301083B9B5CCB3D43D3E2BDBD2AEE3D9BD20D3E42D7CE3C0AEDE03D3F078F3DBF1C02BDE08E7E3D090B95BDAEC41ABE83CD85BC6FA595BDA8E7933C7370F33C2EFE333E109F653D9AA6F7BD83BB5A3EF7ECAFBD1869D2BCDD3E13BCC7C82E3E4682373EFBAC11BDD3C5C43CE6F3B0BD9763E8BD38A3EABDB44A8BBD756134BE2F17F8BDDB3DECBC1584A93D55FC463D12EE033E230128BC98BA7ABA97DA4FBD24933E3D75E36CBE6B6CE4BD9D1BD63D493F133E4303A53D3C4F01BD0C4797BE6C0F8FBCEFBEE93D620B1EBCE8D6713D4FF5E3BCA705BF3D5F7B193EE3F8B53DB3F7423E05F306BDE0E440BD73EB1E3E87E8BDBDDFAC113CFA01673ED14F083D8357B9BC875591BD362D27BD8D7D183EE26F883E9842B83DB605213DCE101C3D66CD173E8D4A753DDB4955BEE3DCBB3D98E507BE2A2FEEBDF4C2293EF8C10EBE7B32643D0F47933DC5E0BC3CD2B092BDD603483CCC88A2BAB6C2083EC356B83DA7D35F3C2CE43C3CB08077B8A89690BDE20D633C8520C13C561DB03CDA6DDA3BBA1AA23D621B2FBD3B4A28BDA251D1BCE333DD3D06B993BD32EB6FBC5E2A30BE03F0D93DE7D4E5BCBFAA713ED841E23DBDBDDE3C8A21A03D6D62FBBCA01793BD8079693DF7875BBDA73A2E3D3FD760BD711384BD3DDAF13D107671BDB980433D750E653DC279AEBD970802BE65F17CBDFBD43B3D7B8D7A3C4BAD913A172937BEEA43AC3D8FA6AA3D607AFABD5F1212BE2F0CF4BDC2AE5EBE5B7991BD3429993D9B0F483D7412803D8A188DBD2D10383D977877BB7038CC3D49131C3B9816823D4AF3DCBCF807BCBDF8B25F3D48A30C3EDB7181BC0F3B2D3DF2FEF63C0D9D7C3E53B1E4BDB89E983D3B00D5BCC365A5BDA55965BD05F5AEBDA78199BA2723ABBC5D22BBBD6762233E758F683EC35D853EA695B2BD8ECF1F3D566C27BBC8F32CBD18E354BD69D7093E1BB5043E4747D83D33DAE5BC9A88E5BDBB4F3F3ECA78E6BCB0BB08BCCF11EA3DEB31B7BB89E8803E80261DBDC352F33D3AA8753D7021BBBDF55FE4BDA86BBB3DB669913D689B9A3D6FCE8C3DABB5893CAD0AE5BDA7CAD33D676D803DD1D5813C56B7383DD5995DBD70DADE3DCDC5733C70BCD43DBF22163E420562BD5652C9BDE564103ED76F8DBDCFE9D33D470423BE77B9F13CC7DEFBBD9F73D4BDEE0E163E2DA18F3D554C513E39EAB2BCC54ED2BD135B153DAF76C4BDF364973D12507ABDDD1DD93D5A82E5BC1C2A103E22DCD2BD3A026A3CA315F3BDA25307BDCE6FC83D03FE57BDF532CFBCDA499A3CC9FEB83BEF6D89BDE817333E554BFB3DE07648BD27C8A7BDFFA43C3D960405BEAAE0FF3CAD90DD39F11029BC2F0099BC6FDA4BBDD7993EBD10B1553E874BAABB8F355FBCB57C9DBD67C0853CD0BC873D9D20A0BDBF2005BCCF4D65BD6FA4953D1743643DC1B8993CA3C7943D048E1CBE9C96873D22FF7B3DCC334B3DB145103EF61FB9BDBBB5193C456E0B3E91C0173EF7D28E3D0093CD3D8FA2E23D4AA7FABD954E4EBE43EBD93D5CAE1F3D0F87B93DD3D5823DEB4DC439C2F5D73D6858FBBDAEA927BEC7048E3CA56C28BDD93A36BE7A47A1BD6B130FBEF8F8A5BD4B41ADBEE17441BEFF04E73C2376523D9B3FD83DBACD013D30B2C33D77C4CE3DA3DE9DBC06C03D3DEDA1073E52D0C1BDAD9EFF3D07A4EDBDB1CB183D856CB63DE20CF4BB4365363D43AF10BE97F8C73CB37D09BECBF7BEBCDA475E3D1F64223D19924C3DE3F08DBCA581153EFFFD0EBD15AEE53DDF01573DBC7B47BE90AA5EBC214249BE51A4BF3DB6A682BD14FE9D3D9F2A90BD6D25583EC044F5BC0B46C63D5F24ED3DE7008E3DDF466FBD41D51B3C9768033EC89AFE3BB5BEF0BC244635BC759857BDF4C5B63D5EB384BD7B48803DC3BA03BCBDC1A03D1057853D78205C3C03D3CCBD7473493CE29CFEBCF7192DBD727D5A3D173D1E3DAB4712BDE8C9B03B7B7252BDC42FAEBD770C9ABD1838753DBF353B3DFA89E73C0A9B753DC63B96BDBDE65D3DF1AD14BEBB88E83D2EA917BE4E5DBA3DE9F80BBEAD0C113C6D7D66BC0214533C8BBEFCBDB65187BDE89767BB277A6B3E5E612A3D285B333EAFD8153D193D02BD386753BD528D79BD08F047BD361C2DBDE00648BD5151383D1A07903DE70821BE186A71BE15EC553D175B113EA12387BDC4680F3ED2FD613ED455BABD7F2999BD000A9E3DEB36B13D78D9613CF2F5393C85611EBEC5ABCEBD108A2A3EBA9DE6BD07EFE9BDE1998DBD3B92983DD98491BD7D9F56BDB8C9E0BD59ABA8BC61460D3E2F5F74BC852F09BE8D199FBC8DDC71BD1DACDE3C32ACFB3DB78BCE3D8788FABDFBCC99BE525F513CBF41C23D7F29763C2F9E1C3EED3AF13D3E5933BE4B9D6EBE58C6A93DFB9AAC3D2F4A0ABE"> : tensor<768xf32> to memref<768xf32>
    %8 = loop.constant dense<"0x401FE23DAB53EEBBA42D83BD2FE6DBBC0529023ED060C33D7E08B1BD7FAEFBBDF2A0103CA71A8BBDA895E83B98437DBC715C803D2140143E082B013D811B123E433F6B3E2580063D5085553D13258EBD4F6624BEC380A2BD5B52CF3D3424B33DBB9C953D8940113ED4D10F3EA29404BC6F6B7E3C370212BEB51351BD5A20553CA7BDFCBD4AF5F03D2830B23CC3F5F3BB4F0D993C797D143E4D89803C2FB31F3D7214653D347103BE5AAAD2BD07452DBCDFE326BD13073DBC43093FBD29EFC33D5F0725BEB54BE9BC8341133EA32F3D3D37538BBD641B9BBC97CA79BDA395763DB523C4BD981288BD266F2D3E3D65023D85465CBD166E943DB20A5CBB4796C3BCD2EFE33B45279A3AF92422BE7638B23DF06B2C3E4B973A3ECF9E61BDDAD6E7BD4D2DD93C4BCBAA3DDC613B3C4883F3BB2777E53D398BAC3CCB45083E887F71BE4F27863DE78383BD0D447D3A0EF324BE400979BDE311C2BCF08AFDBDA700433EF1F10F3EE5B12B3D2AD24F3D97D1C03D77D2C33DEDED7EBD2BE0E7BDCCF84ABD523F873DA3D31A3D78754FBE9966A7BB89ED43BE5529DD3D0B608B3C1BD3423DB7835FBD6B32BDBD1F1D03BEB1FB35BEF1880B3ECC58883B578E323E7FD73F3DBFA1FABCBBB647BE2289163E4EEE433D8BF6EFBD00E91BBE9515533D4F83F13D3484113E4AD05FBCAF1C503D48707FBDD796013CE7CA24BE4B33353D335C9A3D285180BEA9AB453DF910A7BD435A083EA2FC10BEA601933D02732C3D40CEBF3CCB1D47BE0B30A43D87FB91BD1054D73D6AD9A83DF5ED063BD31BFE3CA7F5593DD0430D3D6C5D0DBEFCE03B3C2FAE25BDED65D0BC6B1A933D9AE5C0BCBFAB1B3CDC93853D676831BEDC7A8F3BEC8E29BDDB1FEF3D89C5A53BDF9B913D63A02E3D2D1ED5BCA25D063C648B453DC3C531BDC38FA0BDBEC713BD5FE0CABD1F20F5BD6314393D372CB13DD772103D90CEDDB9C77199BA926206BCCA3296BD667F9ABD738330BDEFC441BD5B8C52BD70ECC8BDFBC91B3D7F6177B96341C8BDFBF5C23D67C0753DF8E990BDF73E593DFA1521BDD9279F3ED22D9D3D25513F3EFF8AD8BDE69907BE1C67243EC094883DED73163EAC329D3D133D043DBF41343EBB1293BD3B2DE63CD6D3C1BC67B779BD8F233F3DD7FA613DB36FAB3C65EDDFBDE0C9143DA660B63D761EB8BD97D937BD938B4D3D6542493CA3B0033E5BF8403CA3E0C83DF9461EBD70B1DCBDB372CEBD771DC13C0BB46DBE08EA763EA395503C8A80F5BD8C01AEBDF3CE9D3DEFBB2C3E5321E33D1FEA94BDF3BE943D5B18ACBE3A3384BDE347FDBD60DC763DD0C1DFBD8C74303E4FB162BE3D7CB1BDBD657CBD7C7C9ABDFB451B3E0485443EF323523D313CA03D1F9C0A3ED0E3733D74090F3DC8654A3DFBF62A3D4ABBC63D656D18BE3FEBE83C879933BE81A2BCBDB719B73CD128AB3DAEA41BBCDC710E3E1ACDAABDDF7FB6BD0DFA53BDB271553D694144BD34A922BE3CBA983DE158C4BD7358D8BD93603FBEAA70013DB17836BEE519863D0BE8C8BD5FCBA63CEB22BABDCB7569BEBA3CA43DEA4CD5BD475B343DD88A09BED7F3E23B6ACF39BE2C70C1BDA2E75EBC83EF91BCD1298A3D32ACBEBD007AF03DE5DCF5BCB47748BD20D62ABE5FF8053EA80711BE1838FA3C68395B3E30A2473DA70BC63D5C72C13DB79C3ABDDFA86B3EC80E823D6F23BD3D10A78F3CFE2520BE1F098D3CF9BB1E3EB72849BB0B08D0BDF811A93C3703503E28C3723DDFE3833D9504C73C83F79C3C6B19D43C7FC3AE3D23AF253E736CEE3C7161B2BDE7A909BB0AFD203D1150083EAB56D23DD625C73C3998933CAF59F8BD6F57033E85BE4E3CA73EEDBB06D2A9BD16FF3B3D578702BC8324F53C354083BCDBF568BD90AEF9BD952BD3BDDB91FE3DEF6F33BB56C721BD6AEE14BD35046D3D99BC2A3E36478FBD377FE3BD75E0513E71D52BBD9789383D7B5A39BD8D036BBE18DB44BD635F55BDB3B8CABD3BF4943D45AAEB3D575150BC179B99BD5ADF213B8F84B4BCFB4548BE9ACCFB3C4D5EDF39F9B48FBD37650C3ED0690EBE2BEADE3DDD9DE43DA56CDB3D83438D3CBF0AAA3DC36B573DDFACA5BD052487BD3023BCBC3074CE3C39D481BC1F31B2BDD2C62DBE6561D5BCFCBA023E68BD5DBEE00AF13C03F8B8BD408070BD665947BCFBEFB9BC6C8FAB3DB710B3BCE785F7BC6321843D520A97BC3AF3E03D2FEC8ABCB934983C02E006BE9220A23DEE998A3D113FB0BCE1AC3CBE7B58CABD184D8E3E0BA812BB7EE725BDBABF96BCAA8E963DE3CE08BD6AB0DF3DD0CFDC3D856A473D131C033E27632D3E87E796BCB1273C3DD506DCBD51BA88BD25BA27BE92A9ACBB7ACE89BDE1F833BD15A10F3EBFD0143EF3D406BD7AAD6ABC3CEFB5BDBB65623C10B2143E416CAEBDC35BD43CCBAD193EC3C5753DAF72123EB57D76BD4741013E4A9D04BE727C253EE89E2EBDB3F902BCF77966BDEA9CA2BB623C52BDA30293BCE7AE11BC17C5BBBCAB4348BBB7E6AA3D4E8A9E3D8DEB0ABE3BE7B03B0FF076BEF860E8BD94F9AABEA70CE23DC30DBA3D379A3F3E2031763D3BF2E3BD969600BD774B8EBD8880763DE9A330BCCFBF3ABE6BBF103E921B833DFEAA9DBB1EB51D3E6F8A023A795F453B07DFCEBD81DEA9BDE753D4BCED64F5BC938E433C9BB69F3D597E2F3CB4D1BD3C6996903C0BD8573DB33312BE4FC7D03DE31E68BCAB56E03A149A323EE28065BE32F73C3E83740E3C7BBA02BE5288E23DCE2422BE3DF10E3E124A95BB9CFE033DDAC0A9BD49B593BDEB3B8BBC0FA9E7BD5BFB223D10B475BCEFD5CBBD9C49323EFB783F3D7A40053E47C9FE396FDAC0BDE8E257BD44B04ABDBBC33CBD3515E8BDB7DF43BD45C5F4BD0AA816BE85A5BCBC8CF9A53D752CD2BBAF0BB5BD7A75F93DE6110F3D75EBF93C3536B1BD1A413B3C4F4AB33DDE0EA9BD3B45D3BC5B08ABBDA0F48BBD82B54B3D9B37AFBB41C933BCCD6C44BCD6CBA33CAB28B9BDEE26033ED8C745BE705819BA5365BA3D0FF0003DC56631BE3F1BE23C7DEEDD3DC6B38C3DB79B023C07FFECBD0D7AB23C3142153E3950A13D694EC4BD7FE89FB95864B0BDFFA6B2BBB2DDE83C8367C4BD8C35BABB882A913D77F315BE981229BE4B24783DE3373CBE65D3BA3D97F4D9BDFF42683C9639BD3D63ABD63DC9752CBDFDDA5BBD036F373ED7938ABCBDD61BBC2FCC8EBDBA1F58BD5D5F00BE9BE98CBD82AF993B22A00DBED034CC3D8394EE3DC36C8F3DE1332F3C829E18BC1BD731BDBBFB86BDF54C26BE35A4D7BDFE80903DDFDE003EEB120A3EA684923D76A91E3D8E73303EBF96183D55568C3B133115BECBCA523EB927123DC9E7B9BD0DD45F3E8E70B13DB9690DBE52FE703DBDC4A83DB001D9BC024CC7BD7315F9BDEF1A2E3E3C76293C9E3E19BE4FB10C3DCE353FBD4BD231BCE52061BE388CB43D62ECB23D8054733E0AF593BD672E73BD3FEA0A3E2794AA3C673796BC83A6933DB852413C1B657C3DEBBE2F3D6443CCBD5BBFB73C112F23BDD0CDF73DB7AABF3D335AFB3A4334D93CA35FD63D4764CCBCBB12083D32CAD0BD6F10F53DE14A06BD536A4C3EF43AB5BCFC3FCB3D50E4BE3B2B20EC3BA8A829BE6D1F1F3E77B05A3E5A4BD83CCB25AD3D295D963C8407C9BD1FCB87BC3191873DE7492FBEDD102EBEC8EE4EBD6789EF3D9977993D070453BDBBB12B3ECF4051BC60EA723D9431093DF769B63B8879553DC4C780BD4B7726BEDBBC873DA0BEFABDEF79F0BD2E2ECC3DB8B3D63D53975DBE6588FEBCDFC90F3D8B5580BD1F15FE3D58C3E2BD6FDB0FBC5171813DEA7D82BEDB6FAEBDBC8E08BE451679BD8B659C3DFBB75C3D5E6ABC3D9A255EBD7D42A0BCB228D1BDB28F6EBE85D00C3CFBA8B5BC2D36CEBD1C37AA3CAAEBCABA16BD8BBDC559BD3CF80C113E4D590B3E5F3A5F3DBBE2633D5EC1103DF81A9D3D3F63173EF8CC3D3A45ED503D35EDFB3C68C4D03C002E013EB017233EBC9F973ADAF46DBE4D12FC3DF3E7293E0086893D126CCBBBBA9414BE9A39DC3D06631EBD8E0BA03B531345BC3CE1AF3D05B2333CFD96003E375AABBD7D41F1BD0F28EF3DC15A01BE0214D3BB4B5E6EBDC3C431BE28CA073DFC75343E31EC01BE934F5BBE8E429B3DA389E6BB266EBDBD139E54BCB1D2ABBD80A672BD2BC42B3D5194943D129B463ED33AFE3DBA68AE3BA8B63EBD6252B43C4AEB41BDD44F2F3D1AC58D3DD01EA7BC52B8D13CB8577E3C3A962EBCFE3B8C3DCFA2913D34C589BCAA59003E3CB7953A58A32BBE25E0E43D16F5B93D66ECA83DFD100DBC300CCEBC93BB83BCB7562A3E1E9D91BD508F8D3DB6F942BD7BAFF3BCAE0D1BBEE076843E"> : tensor<768xf32> to memref<768xf32>
    %9 = loop.constant dense<"0x6B73613D9543E1BCFABFE63D6344DCBDD16F3B3DCBEB65BC7071DCBDAFA31ABD304BF93D8AD6ACBD52079DBBDEFDB33D54C9083D8767973D13AE173E0F2C173DC3F140BDAA52E0BD53DBD8BCA7391F3E0D790BBE4BBFF8BD8F288F3E87C04DBD7BF03DBED9473EBE3537B4BCB52A70BDDD5388BB95DA313DD7AA103E0C134A3D0226D73D318D2F3E8AA07ABD7083473E6FE389BC224343BC33F41D3E2FC5143D5DE57EBC97DBE23D58F2E9BDB58AE33D4B8A573ECAE626BE3318263C9A558EBDFFC1FC3C875BAD3D2DA6EE3C6B0C8CBEFFAB34BEE81D7D3DE78A4EBC7DC55D3DCE4A933DFDF9E03D77C41B3EC7B8923CDF4FC53D5F5BD63DF38B1BBEA81C9CBD0DD1F43DED78E93C7C25AABD3DE2743C4A4E603D52ED373EE4B8253E5809083C50382EBEFF11533C5A4965BD67F1193CB5197B3D8EC69FBD89281BBE168E37BD1BE28F3D357008BEE001EABD0CA5403E4313F1BCC5FBD23DB3A1803DE733253ED753B2BB2D33923C44CE04BE65978CBC10DA7BBDE8F9533C75C866BE47C066BD80B706BD8067B13CCB0C323CBF062A3D7AC4833CF0543B3DCFFA153C7FC36ABDED07EDBD6A7A60BC6C224ABC562D313D226545BE3CA117BEE88739BD5A427F3C45B04D3D6FE439BEFF37DD3CAE32AFBDBF1A5ABE6D7AE1BD806467BD7F6BFFBDF15B263E17E91C3EA755943D0792D83D4FD240BD466420BD3AD527BBD56C6A390AE354BD07FFC3BC5EF606BED34221BE477B0D3E94C3893DB27311BD539630BDDE20B63D68E9B0BCAA0EBFBCE7DCF13CB59D0ABDDA8CA83C3122A93DD1782DBD4BBBC3BC8F267C3D37DC74BB710DB93D4A1BFABD57FA6DBD7E12C9BDA2F9AC3DD402253D1369823D7B0451BD13271DBC68D050BC30934D3E6233DB3B277F01BAD66F943DCA2F23BE2180923D5D4158BD32F0A0BCB60F2DBD95C8EBBD13533EBE9B77BA3D52914A3D2A1922BEF17F9ABD4F4441BD0AC6EFBC29F29EBD8EF208BEEFB986BCE7D221BEA710BFBC806DE2BDA40907BC3F614BBEA951293DBBAE003EFF23B93DB1CC31BA3D81B1BD33E5893EFBE2533DB52A233DC7882ABD5744EBBBFB0DAEBC32FDFF3D3B829F3D5AD8CFBDAC5B133EDBEE823D1F450EBDB7171ABE33F1D3BB3F19063DE46EA13C3A28663DC2F80EBDA59E0CBE5731753EBAC5D33DB11F83BDDBA607BEB5857A3DB42638BC7B51F8BD8F45393D4BCC8ABEC1409C3C01992A3D9A62813DFFD48B3A2CBF36BD4FA708BE97FEF9BC834A82BC75CCC63DE3B9923BDBBCDD3D6F69453D5E578D3D08D3203D6821CA3C0101083E035A403DB031EBBD63C73BBD5D5B4E3DD297D83D2EF93C3E49871E3EF385233E4136C53D674823BD989E8DBCEB3ABDBCBAEA173EC22A903D136B62BD1FA3D5BD2E5D163E6EEE88BC2CCEA1BDD5958CBD39581D3DFA94853DD9A8A83D45E95DBDE0EA253DB84010BC0A98113EC3C9A1BD3F83D93C2AB69E3D9009DE3D1831743DEBEDC2BD6B53F33C8BFDF3BCB2A325BB9B3652BD69252C3EAF1AF33DAD4650BCDDB78D3D8ABD59BD68FC5ABD833C82BDD29480BC41CDA3BD018B913D046B8BBD71E08DBB5F9B3E3EAB7BBE3DA3656FBD687374BD460204BD8F2F4939CBDABABDCDAEF9BCF5B6903DD9FC8CBC3283EDBD0E12A4BD8BAC9DBD9D4047BC6F50993D9B004BBDAA8CB0BD47570E3E90F4E03D6CDA053EA93B8ABD2EBC9A3D8ECE1DBEABD4003EEE3C2F3D5B0EF93CEAED03BD580162BD2FCDC1BC62AF78BAE79EC53CE2ED69BDA14B263E3E13053B96A942BE5D80843C98B8E73DA7DDED3DFFF7043EFDDBD93C0DAEA43CE45E863D6B1EF0BD8BC4593C104D27BE27C53E3EB315213E6A6D573B35435CBD9235F03D1ACF683DC41396BD9711C13D0761053D6D7F0CBEA045513E6ABABBBD0373A6BDFED636BDCB202BBE30E6F13D5B20763DF07C35BD110D393D92732FBC933D90BD20D6D43D640A8BBBF2CAD3BD352D6E3D2526123E2BC72A3DA23BC83DD0005DBD9DA3E13DDEA38D3BF5335A3BD703CFBD3EBA08BC6860D3BDDA36E63DE438003D6B7AFC3DEBC1113ED4B20ABD3DC62EBE1ADA713C05BF603DA17BA9BD4595633D033F92BD1D8ADABB6501C83C7B80853D3AF50BBB6AD00E3E684BD6BD809E48BD4CD4A1BDE089993DB574EB3DBE76A83C4D368CBD71339C3DC295A0BC60209E3D8F5E0EBD12C0EBBD933E123D290A993D86A72BBD2918083EE0F6F83DDF0E01BE3F4920BEA82A0CBE0F59C6BD9D35E63DB325843D430D43BCDD5192BDCA26833C0F9E5DBE98BD5D3D5F0405BD0D874DBDEB93843DC89704BEB1D011BCDCDDC73D74FB92BA164F883DAC3D4A3D75CF2A3C5597823D20D42DBEEABDF63CE3D9AB3D674B29BD3EAB1ABC3D7CD83DB0F90ABDB094F43DBF2A083ED7B5363D03DAB2BDF7DEFD3B3A80F03DE75F33BC4A87DDBCD28A1CBEB0B4273DC02D843D413EA53C471B08BCB738983DE2B8423D28AB133DFF74CEBD1D7A4DBEDBAA323EC78886BDC0A4D8BCBFACC7BDAFEDD6BDF928BABD83490A3B89B6433DF7640BBEEEC203BD29108BBB1B624CBD3327C4BD9B1F3EBC1B5C49BD2B4088BDD9DE23BE5203ACBD833E8FBCC97FCA3DA2CAB03DDFE609BD2D09833CCC8237BA8B27EDB94728CC3D5F6895BD5E8826BDB23466BD9BE39ABD706A513E930F46BD14C4A23DFD530CBDF5097C3CE19B98BD7D3B1BBCF7B2F93C22284E3D625136BEE049D1BD778505BD33A6B8BD473AE23D2A1E75BE9D839BBEAB02E53D87F89ABD67F1D33D2B1F14BD3FDBA6BC4929BDBDBBF1263D6337AF3D4DB905BE63713F3D737B3A3D20D3E1BD8F34C0BDB20C76BE07412FBE2F9B3BBE1BDD573D8FC2E8BB89E41ABEB12C14BED3429EBD83A27DBDBB9ADBBDFBF3A33D8BB75FBC68EF02BE43B38DB9753DF03C5F71B83D95C066BC33B5133D98873E3E756DE2BD9D3D583D02C7D5BD7C0601BEF0C445BD10A4A1BC7121C63C1011183DA0EDF6BCE85CF93D4B7E0D3D87A3473DD0DD0CBEA83DD23CCA780D3D189CC93DFD09733DD089D039644413BE6744F6BC386AFA3D988FFEBC3C1D093ED7A8563E21C224BDB87DDABCABB7A63CC798B93D96CB833D1584363E1742493BA754BB3DC36C5F3D1F5A493DC2CB82BDBFB5263D5F0C2ABE093C033E37CB63BE226487BC704BADBAFCE8C73DF3F8103CBB95A8BDB31103BE4747E9BDF308A7BDCF613A3D89FF3B3D38CE03BEE4A342BD2A92553D3A00ECBD1E0FC03D6302023D97FAA1BC84D0003EDB9AF8BDD26A5ABDED42E9BD3350CBBD37B08A3DC00875BD59F582BDBB907C3D20F1A8BC00A0543D677C19BE315CB2BC4F4B113DBF3376BEFD6E0A3E08AE713EB246E13D5469C6BDA88279B9098A13BEE0A2E53D73D91EBE84663FBD0BECACBDA57C583CD3C9DF3DC7F4E7BD5B12113DFDFFA3BDF7C0C7BC87A1033E8BADF2BD7F03D2BC63842FBDAB86C63D2FF84E3D0BB446BE206E343DEB1E4BBD7B2396BD43492F3EDD9E523E68EE143E5B1A393D4842F0BD6515E53C29B70C3D34A6A9BDADE7A1BD05C8DBBD8FB9E83C0E50C3BD6BB8F23DEFBE153D77EEC0BC977AB93D8FE7F23D5B1C01BEDF5C623BDE97A83C2EE005BD242C1DBC732629BE2B25593C2F628E3D8FCCCEBBF3BBCBBC326C4BBBBE6F083D53BE613DE7503E3E57A0CBBC8545FA39A01CE6BCBBC5C13D536E393E2FFC6ABDFA6E4E3DE89F653E369E23BE0754D6BC1414013D4892F3BDD18B00BDA38128BDEB515E3D23EFFDBD21363ABCD7BACD3DE83FEABCE83448BC039BE9BC3FCA61BEF5D11B3C4F06283D9B308BBDCFBC96BDF547E9BDB85A5B3E1B3813BD5D784CBD29BD223D3495B1BDCF6A083E83B6FA3C331D203EDBA9B53DAB2503BE44D98D3CA0ABB4BDC5104F3E4B9219BED4679A3D903792BC7B32A53DA80CDF3D1A1DE7BD358847BE0EF029BE20D4B6BD201530BCCD0801BE916E193EAB2B473EA28FA63D35D6C7BAD498803DE76E993DB64F32BDDD495DBD85CEACBD07A5323C4F8CD9B90F4E143DFF9DB63D3FFB92BDA1AA063CE8BB27BDAD2D93BDE2D1DC3CCC71A8BD926DC63C9897B83D9F3754BB46C80D3B9178C3BCCA5888BD6A8AECBCF02F3F3D0234F23DF8CEE13D03339DBA13F8933DF7858F3D3CDD4B3D55F5DDBD4509C53DDF0B913DA4DB1BBED73412BD6B96DB3CC59895BC4B19D9BC884553BD0A23173D8FE3B43DFCE382BC83759D3AF7D4C63DA0B4F5BDB65B963D203DEABCF3CD783C6A1B1EBD0465C73D90BB7EBD109D723C7420B83DBB483CBE483B5A3CDBA28D3D8AAB7DBB5EA907BD72C810BCBB08D43D33225D3DB86509BEB5C05BBB12AC2DBE752029BC27B4A5BCE76BF3BC8EFE9FBB"> : tensor<768xf32> to memref<768xf32>
    %10 = loop.constant dense<"0x78ED6D3F93BF893F8AB29B3F9B44723FC87F883F2ADE4E3F017F713F21FC963F05AA653FA07D973F87FA853FDED05A3F8B02633FE86B7D3FF46F883F059D8A3FBD4D5B3FC69E843F8A5FA03FA9127D3F0510833F00E9903F743B683FF0059E3FFE23843F3D397A3FB700723F89BB873F66B2983F7792713F8AF5423F56BD8D3F1240413FE9868C3FB071673F3025753F8908903FBC807E3FC35B9E3FCE456E3F281D8C3F82AF663FAA01713FDF4D7B3FA3567C3FFD47933FF181993F33397A3F7F7B663F76358B3F3BA2703FD89E593F44AA623FE698603FD8F8843F3DAA783F969B733FCEA28A3FA1FA6F3FFD3E713F7DE7743FAA5D493F11DA7C3F2A9C813FB49D753F59EB853F7DD78A3F90439A3FE00A813F1991713F22C1853FD2FF5D3F701F753F704A813F811B853F12446E3F1F1E743FD1737F3F960E7E3FF4E57A3F385A6E3F6E84403F5D71883F8A288C3F3431693FEE3F723FB5716B3F1B06893F402C933F7FF98C3F35577D3F3FE37C3F4E26833F0BC67E3FFAD2873F106D7B3F5D9D773F67B9833F68254B3FF47D8F3F82F8793FD3DF803FF5EF763FF3DA843FAC06633F2AAA573FD070863F75AE653FF7F5893F0010923FFFAC8D3F2679553F4CE9873FE185703F0B9D7E3FCD47813FC986633F50E75C3F1ECF873FE4CBA03F430C823F0526803FAEFE6D3F5653703F64F3783F83DC583FDCA9793FE73A9C3FEE56813FA82D5E3F2A387F3F2835883F95447B3FDA7E673F9CEF703F55799C3F31489E3FA149813F31AE793FB97E9F3F284D5F3F0838533FA27E6D3FE9E3863FC8A6863FC3CB6A3F2F1C853F6C54863FFCED6E3F2572833F6315963FE922623FFAED7C3F8228813F05D37E3FE4D1693FBAA8843F6E29683F0CF8683F04FE773FB0F6833F101B9D3FD0E17F3FE2765D3F99438B3F44BD993FDB4C803F4BBB8C3F95A4803FDCAC7E3FD826693FBE578B3F8FE2813FB1C14C3FCF4B7C3F4D907A3FB177883FBA38723F48C2533FC4AB6E3FA54A893F1C6D693F70E77C3F1153793F904A3C3F5B225D3FD7F1813F84097D3F5FEA5F3F2AD1843F0150613FC8BE753FBFDC583FA464873FA64B8E3F3A2A913F95A5823F38F45A3F1A6D8E3F8473753F0DEC7B3FBC588F3F988C7E3F23B7893F0ECC8A3F17C66C3F50FF933FAA387A3F42C76C3F6981993FCAFD653F861B8A3F648C593FE4EE6A3F2FFD6F3F38DB8A3F1CCE853FF78C873FAD9C8E3F806B823F6329A13F9DC6723F37087C3F62839C3F8E0F873F0045493F7A1D863F54765B3F5792833F726B973FE6A8753F155E943F7FB77E3F5EFE7E3F0D28843F3DB28F3FFF297A3FAE127B3F82B6833F26E6713F4A116B3F5E03743F0BE08B3FDB70823F2F17843FC7C57A3F4049743F0315733F85B86B3F3ED16F3F0E8C883FB3C2713F664C5A3FD238763F022B523F4833843F925B823F7188843F544E5D3FCF028A3F10D9873F1568723FF6247A3FFCA8893FB2A57E3F57D6753F16A6843F6F2B743FD16E8D3F443C343F6F698F3F5F088A3FC8566D3F62C5903FC9F47F3FDF77773FD7E3693F3BFF753F5C78803FAF638B3F80FA733F0D92813F564C773FC6AA863FADE06E3F9A5C813F08C2903F1E3F803F7213813F87FC7F3F1B65763FDC68793F3EAB903F2CD0683F96898F3F013A753F3E864E3F4AA2473F01B9773F4D3C823F9B41613F4316863F50BF613FE242883F07B37D3F8B854D3F24C65D3FBB207E3F8C28823F03B4843FD1C7773F6A8C5D3F5CA9803F7D21713F89C6623F9257793F8E06743F9BE9843F580E843F13C0813FDA80873F1D4E803F96FE603F807E703F2F18863F4941A03F8FE0713F9A72913F0412843F32B6803F434A963F5349863F28A4793FD5B87C3F40CE8B3F560F933F92A38C3FF4355D3F8D285D3FAED96A3F171F893FF8F1833F3694553FE0D6813FDC815E3F87D0503F5940953F9B0F863FC1C8883F79BE673FEB2C953FE8548C3F0254463FDCDC903F0CC3833F8D2B9A3FE22D673F871D823FE909713FB13E7B3F0E36883F29A7743F39CF5C3F4BE28F3FFB614E3FF670473FA2C8913F11C3833FA69F953F04DE5A3F5A4C713FD290683F2839683FBF618C3F6BF8803F2049923FCD098A3FC8F3843FD03F863F3F65723F4740883F04E9A03F80755D3F6A007D3F423E903F0400883F4AD78A3F53B6503F88DD623F6D10643F6DC87C3F4EDC903F58D0993F9A108A3F1590893F0480823F06C96A3FB7E47D3F82A1863F6FA7883FC36C803FB744883F9525893F0AAF843F44C06C3F6740753F65FC873FD02A853F45F47D3F5641653FB769873F29DF6B3F9222683F22478A3F28F88A3FA4947E3F31DB7E3FA1C9693FA3F05E3FEADF793F840E623F2A5A9C3F203D6D3FD574863FFA2C663FC9518F3F4670663F2804953FD7077C3FF085833FB19F8D3FBB81753FACC37A3F5BB99B3F2248483FE35D613FFA90493FE78B863F0AD3593F5589843F17D7733F5A45593F5A8E8B3FBC90683FFA63863F896E763F3C57713FBA1E723F7713813F75E2873F6095823F62E7823F84A5973FADDA4C3FFCA2803FF089803F54D9803F5862873F399E6F3FF85A803F50FA813F72AC8B3F568A7F3F10B95E3F05BA793F41F4943FDCD36C3FCFA2933FFD77603F8A35873F8D768C3F52EF6D3F1F3B8D3F3F675E3F1F22823F894C643FE5AA8F3F08DA5A3F661C773FCB87823F3727843F4F6C5E3F18AE6A3F2C1E613FB135803F8130653FE402853F32DA613FB5F0863F006D703F342F923F6AE27F3F4AB3953F4138683FD07B8A3FE73A8C3F1EFB863FE122513FF1C9833F12CE733FB7ED793F7AA7783F0A38773F2554883FECF6633F4444673F92DD743F254D663F929B613F17796C3FB37A683FDA50843F6E93793FE78B8F3F0D94873F2DE3833F38537C3F40C27C3F46347A3F7B827D3F42AF643FB24B7B3F3907643F33E87F3F7FE0933F42F06A3F8EDE8F3FF194893FB801823F6177973F5F7F683F6DB48E3F96DC713F93CB9F3F6FB77E3F46C97B3FF952803FAB7B7B3FC6AE8D3FA016683F038A873F70EE4F3F5B38603FBAC1903F2848813F8B83813F7FEB8D3FB3257F3F61116D3F0A23503FB372793F9E3D863F1DBB883F3C4A913FBD34463FDEDA8D3FAE72913F746B603F6C4D913FD917823FA2B4753FDE1E953F9E9B923FFBD4703F918B803FEBF07F3F7C9E843FCCB99D3FE6DC643F14CC9A3F2923693F47FF883FB8B0893FE0DA683FBF15553FDCE86E3F96BE6E3FBEB3893FCB9A7D3F1A128D3F3CD28E3F143E773F9E645D3FF200623F835B703F9AF34D3F21CF803F7A54783F94306A3FAE15823F4BC5623F812B6D3FB5AF8A3F11388B3F02E17B3F64D3763F56E56E3F11E0603FB4EF533FA5AC6D3FD9249B3FFD91893FB8D27C3FE4207E3FE016773F8893563FB9F4653FBE6D863F06BB9B3FE8227B3F1305853F52B3843F578E8B3F12D37E3F58697E3FCB3E843F1854983F17F9693F4E93833FC35D7F3FE3A06E3FF6DC8A3F6A72723FD4B28C3F6EB2893FE9EB673FE544803FF8BF843F74E1703F8EAC803FB05B933F2174763FE2E45C3FDFF06E3F06DA753F818B7F3F347B623F1F6B883FB425823F962A7C3F6B87483FD9EE943F445D913FE54C643FBF2F833F2AE76D3F60C24F3FF193773F8936803F545D6C3F8C97943F073C643F49D0593FFD94993F2A2B6E3FA08A3F3FAF8C8D3FE440883F2ADC8B3F607C663FDE156F3F739A853FBDA9843F3A5A8B3F05E0933F20CB753F79966A3FFD966E3F921D5F3F78D2873F750A763FB6187A3FA441513F4537663F91ED813F6F66823FD0E47D3FEF6D883F4706923F56927C3F372F703F5762833FA2677A3F972D753F67648F3F4F658E3F7989773F3748823F7AA47C3F06F4683F2A71693F95798C3FDAB8933F59E5903F44C7933FC354883FF4E38E3F977B853F97F3813F35A0943F5F166A3F2E03633FF7D98A3F0D44893FCCE89C3FBAC48E3FF7AC5F3F22476F3F09267C3FF9B98A3F00B2823F4BA2A13FB00F873FE91D813F08B1363F881A773FE621633F32556A3FFFBA903F44BE5F3FFFF9993FECCF8B3FBE09803F75F8993FACAA973F09447E3FE2588D3F61F0783F8B005B3F8D75873F9CBD8C3F7BE9883F59FD673FBC1B8C3F4942873F42E8633F588D643FA6C66E3F1100613FB0C5883F6B108C3FE405613F9F368B3F33358B3FF5DA663F1250883FC3BE833FE6C8853F123D643F8F237A3F7BBE763F6EDD933FE9E9853F12A56F3FB837803FAE1D823F517B683F184B863F8BB6813FD7A9813FD2B4873F675C8F3FA385873F69D97A3F5BAC763F63FE843F51D2853F939B7B3F"> : tensor<768xf32> to memref<768xf32>
    %11 = loop.constant dense<"0x2DAFCC3D4FD241BD1D85183EE270B63CC75B31BDEC2107BC26F81C3EEAECB1BEFEF7813D9571D6BCF5A0E03AA5F9573E9FD2813C005D153CAD038A3D3821653D8249243E93C2143CB79B963DBB6B31BEF2AA2F3D3FC2873C212927BE7BBD693E6B723C3E1D910CBDF3A1883E18EE00BD035D203EB72499BD36D1A3BD3E4497BDED98B6BDDA13E2BD432CEBBC738B41BC7207A63D1F2DC9BD62D2673D4E3E3FBDB7A1E33D0765783DCB019C3D14A7033EE7EB26BE7243CD3D9DDA483DABE4FABB064F33BC428740BEFEAB803BC4DB1BBDDB0A6CBCEA758A3DC3448C3DB4D7443E9A96403D9FFB013E83B45C3D8DD75E3D48283B3EE3A64D3C911C9ABDDFF991BD2BDAC2BC5A07E1BD4D854D3DD3491FBDA5717BBD40EAB73DFF91913C999EC0BD6BB5C7BDE87B39BC936C0C3D1AF378BDDBF9913DDF25923E4E7B453C2214F2BC9CD0B2BDEF19D93D36B7A53C0299AC3ABFCB473C7F0B8DBDF7A1963C7748AB3E6875213DEDF56B3C124BEFBC026D1B3D3BBBA83D094117BCA46903BEEF9603BE67B6F1BD6DBBDABC5F61A53C6CCACA3D8B12FB3DDD1EAFBD02117FBD9BBD62BEFBCEA5BDB480013E9E628F3D512839BC99D19DBD4F5B573D6AA9F73D2ACE3F3D4B5F033E1500E03CDE3FA2BD20A93C3E2789043E93CA11BEB2F129BDD75D513DF01A62BD2E0B27BEC3C4643D67E094BDD73EE6BB9575403C6BBB01BDF883B53D642F3D3D6DD98FBCCE162E3D1E6404BDA7A44B3EDE9A34BEFE47853D504294BD04E5BA3DD8F85D3D0540E5BDC5B122BE0D05EFBC89B8B73EF854D53D174E143EDF47B6BD3DC4923DE7E92BBDE7CF1E3C7327FCBD7BA3593DB64A0A3E0C9F813C4C753F3DB53057BDEFA5A7BDF10E383E6319393EF70B2BBDF8E5F2BDA76D8D3DB6B3B3BDF37C6C3E98F02BBDF0D94CBDE1BA3EBDAA5A57BE1BFFC2BC29FF9B3E17758EBDC1D30ABE8700ACBDC7202CBE8E453F3D17190CBE9205E7BDD03B16BEB3C3C1BC44F0CB3DE802EFBA65B06F3DB729163EC8A15CBD50F1F43BBCC30D3CC286353E0B7488BD9A6F5A3E1FBB933CD85145BD93D8863C50A6FDBC87992D3ED817683DD4B12ABDD84BABBDC56454BE6512E1BD22340337731D933D1FA3803D489F773D63439ABC2FA4C6BC594B893D3A85D5BC9E58ABBD20E98D3D6CFE2FBC4DFFA63D329A5DBD9A2F8B3D4A3E2F3E74938F3C54EA9EBDB2DDE63D435F62BD39FD193EF63A203DD7596E3D4A95663EE65409BDF3902C3D0C88463E27B9683E0BD6003E6CDA46BBD756713DDFEA0ABE394AB2BD291EC1BCD20D0F3EA1B2C2BDED8C603DEB4F843D2793C83D67EAADBD08BA3EBDCA6C0F3E67EF20BED20AE53C2B1EA13DCCBF14BD8799E13C74322C3D179BEFBD1D5F68BC922511BD9035043ED31A1B3DCAD3793B7F34D33D5A8D9DBDE39BDABBC2708F3E579AC0BD8297003E3772B3BDFDDB7B3D83CF00BE32E6233D85A8D13DCF6304BDB814443D7F8AD5BDB0DEBB3DCD49703D9D24BBBD9C2492BC9AFDBFBA08F0D8BD585FDCBD4692253DEDD5743DFB086F3C5AB34A3D1B688A3D5BF0653D1750233D9B5CFF3CE32C94BDBD2A263C37FDECBCA01497BB6733C6BB97E48B3D5BBB2B3D57C4223E38D0623DE3E92BBDC2E4693C5892FABD57FF7F3C2F005CBE63007F3D0755943E6FDA4FBDB7C540BDF732003E010E06BE8320BFBC2D5A88BD1147BABD42B45B3E93F716BD93069C3C0579223D16DC1FBEE1710CBE339D69BD23201EBDF3BAE9BDBD43CFBB2D55D83DB2E538BD0B96963D93F9F8BDA0D954BD1DB67CBD47FDB9BDF751813D5BE5A5BD4886E63DB01D0DBE7FB2C2BD8DCF1EBD574AD83D3349C73B13CF8CBDF12A9FBDB09A023E2BDDC4BD3753A6BC77E0DB3DA42C9FBC971968BD33BD323DBBF4CF3D45F9F33D93EB5CBDE2D5AD3D6F5A14BC39D013BDD0F4343A5869B83B0168A4BDDF4573BD6C9524BDC3701B3A35E4743C174F9F3DE06B61BDD3758A3A8B12CFBDD7423E3D8237BC3D2B14A4BD1FC6D8BC3019F13D5BEBAC3DCD9EFEBDD32C093D9AA6843D46912F3CDD96193EEB1BEBBA5B8EC1BC0CC6903D6BBB773DCBF1443DBBCF773D02F0C5BB2F3AF13DA71CA6BDC3D605BEFB4AC53DE38D0A3E009F51BD4922AE3D5F4C3C3E84EF44BD1B02243E8233EE3D82BF54BD335421BED7769F3DBC2631BD6412133D3F68123EA922083E778396BDB39FE3BDB6939F3D69B8CBBD8391A8BD7F9BDA3DD75C403EBBB98D3DC028F8BDC0F3D53D90A50ABEC7D6E03C1784143E6FCBE9BC98A56FBDA628CC3DFC86243E3F2D7DBD194B9D3DCA833FBDA16F09BE971F3CBC803F2F3D4BB24A3D9FBD103D6B23BA3CC6AB46BD6F2504BE43A4963D53319D3D6B7FDB3C3A73E23DE65CA8BDA823733DB02F753C8259723E968E08BB6230553DC2DF23BDC77CA6BD7F43A73D3C46233E8519C1BDD2EC4FBD1B54723C43DBDA3D4A425B3BB7D8D13DDF4400BB925057BDD597B6BD6A5F17BDF7D6B13C4FFA633DF068FC3D2FDC19BDF7ECA43D08AB143E020C2F3EF3F2CB3DCF2D6C3D4A5DAABD146F933DAB1D01BEC96640BB130193BDE266DDBDAF3492BD53A0B73D3A803C3E9A4C06BEFD969F3C9DD3E03BFECCB7BD5A25C0BC98CB84BB100AF9BB7DED3EBE57DADB3B0C8DBF3DFBD547BEE919263EDE4329BED00D47BD91FF033D933F77BDE75B0E3E4A582D3BEF8A9DBD6B3CD7BC9F08543EE0F7703EA30E83BD8FC437BD2833C23D956059BC678FE6BC1A232A3C309F31BD501FD9BDE5BB64BDED6B4EBD94AECABD4B74113DD042F03D47600C3EC8B9D63B87D704BD93C1E4BD33FD753B8EB4A43D1DC35FBDEA3968BD72C363BD4A9C95BCDB9F8F3D7D32DFBBF1AC8C3DD089933DCC3DA13C553CD93D27B6BA3DEB49D4BC1B6E99BD5364203B8FDC09BDC4659C3D51E143BD4D69FA3C8835F8BC93E2D4BD85D5C33C219F2DBEA9D29ABC1FE53F3EF012433D3882C1BC98A0EF3D943D96BD4F7A893D23DB2EBE97C6213CE799A6BD2A3107BD879C973C07E512BD238C0B3EB82EA23D284D19BEEFEF7DBC95EEDE3D424B8C3BC55E0B3EC5013EBEEEC4B33DE5EFC73D2B60EA3AF02135BE27064CBD0106AEBC5BBBAF3DED68B4BDEA5FD03DA6CD87BB321F16BEC7692E3EAB66AA3D9DBC96BC1223553D0F3DE53AA3EDBEBD2DD0803D57C9C03CC2BDDABDFBB820BD7A8A793C94D80BBC6DCB16BD161C9D3DFF1601BE2C312C3D178160BDDD3A883D636DB83C43F90DBE477928BDB8035DBE6BB14BBD8E6FBC3CAF525B3D77981F3E1393033EA0F2E43B351502BE7E92443D49FCC6BD6818C83D93DB3D3CC5E811BD4218DFBCEC4E433C1B5FBABB5EAA203DA30E59BD55FA6DBD0F67863DDD02CCBDC793693E017F033EC28C5DBC90A296BD8234223D9DCE083E0BA7CD3D67FB02BEFCBFC1BD576A8039849594BD66D7423D53FE5A3DFAC0263CEB9FB7BD386AE63C6CCD1A3D8F9ABB3B2072A23D985FE83B73ED10BD1D8AD7BD5B9C213E527C243D5013FABD332B3DBEDB6968BC9718AC3D2FE95D3D1EE314BC63445ABDD91DA43D8A5E5B3E6221973D1304EABDA52DA53D7E2525BDAB7D6F3D7E22A9BD87EC4E3DE43F87BD6CA3AA3CC050DABDDE6FC63CEE6DB3BD181D08BE979DEC3A6E09B03DF8C82F3C377CEC3D68E64EBCDB03F7BDC15D0D3D35B8D43D7DCB2A3E222216BEC3D44BBDCB31A3BD2341493EA45C153E6FD52A3D9B0E7C3D26C80E3E9544B2BD6722B4BDE5F3593E10F20BBD618B0ABD05622BBE86030B3E30B9803DAFC5613C6111983C6E51AEBB3382B3BDB6D626BE339290BD15897ABCEBD8F43D0B57453CD0496D3DFCBF8DBC3FB2C7BDDF1084BD193229BDAC76BDBCA0C6E63D931E643DBB2E5FBE8618963C6398613EA95CC9BAEAA5273D4B6A05BE574D28BE68116F3D12D5FDBC3ED51DBD790D363D640F33BE9BF63EBD5BCF9CBCA3DA413E4B08A7BDFF429B3D5BBED7BD359B003E9B700EBE2321033EAA89F9BD0F626FBCC32F243DB6FBAF3D0979323D5A3336BEF33864BC570794BCD87934BD1DD435BCC22154BDDB0D503D8516873E5FE88DBDA07A9FBA1C8C063D4A0AAF3BCF8D1B3EB3A7303DCBE3C2BAA1BE833D588FE03C95D21BBED758203D0F1532BDCA6C93BD939F84BDB2A0D5BC744A49BEB9980A3D7F6C72BD5A1300BC9E181DBCC73565BD58707ABDC3E3E1BDE33EF3BC30F7E6BD15BFE53D480D87BCCAE70FBEAAA47ABECDB4CCBDEEE0113D3DEFEE3CB59AD53B0CEE91BDC7F1C43BF3F5E53D0D950A3E7FF19B3DA8350A3EDB9238BE64FA8EBCFBFF56BDF7A637BE83D4A2BD62BA61BE32D3D73CAD14DF3CCF6A3F3E25D42ABDF9B42ABE"> : tensor<768xf32> to memref<768xf32>
    %12 = loop.constant #opc.blob<tensor<3072xf32>, "", 0, 12288, "b432d411786714ae199c08e03b39d737fc2014faf732484647aa24c21bb5659a"> to memref<3072xf32>
    %13 = loop.constant dense<"0x6C1F8F3D5829AABDBA9CC5BDE7152E3C3389EDBD85745FBDEDB4723D9CE8843D9F0A0FBE337087392E8A203D0B9747BE10C1E23DA58CC7BDA962C1BD85EC683D2F372DBED53475BDD7820EBD7B1E153E9B34A9BDD70D093E7220793EC295883DA58AF93DEF4750BEED959D37728BCA3D451BE13DA10523BDC3BB853E2EA4BD3CD369F9BCB3E6413E0583063E4BE3503E37C76C3C452003BE2FF30DBC4895693D58964CBDAD22653E9FB72E3DE32D2C3E9DA56BBCCF2C503D2AC6E63CD86F8DBC4D73EA3C682FADBC3B0CA83DAF7B133D0D33DBBDE0A98CBD6D6C9EBD1E71173CAFE2FABA5F6495BC36A9B0BDAD2492BCA154B7BCBB1F0BBC910FA9BCBD1A1E3EDAEE6ABD55CF0A3EE5E95BBC8FF79FBD70FFBBBD8453813CE50E5E3E3F7326BD9675183BD6DC06BEF68CA33D7B20BF3D87420A3E2A195ABDB885DCBD3F308CBDD2A3853C784C41BD337DA83DB556C63D5F5D0EBE5A77DCBD7F4335BEAA3FFDBDF86967BD0F83B0BD601DF43D051DDFBD1D996F3E935A1ABE38A8653D9F2E2ABD785177BC7411B6BC7286E7BDFF960B3E8E6D38BDEA672BBE7E8D2D3DC79F4FBD1303AF3DC32C70BDABCA783D209606BD9B4590BD7A00CD3D0F9FEFBDD3E7E03B43E5C3BDD4FE3F3CD262793CFB97093E1C0F343E9613CB3DE0D7493CFB0A763DEA4230BEF09A023E5E1910BD51B6853C02CAEBBCF0E3BA3D4B1A0CBE85D3CD3DA3C8283EBF87233D1ADBB53ACB36293E0AECC73C0322743DE1B3983DC2CA70BDCBF9D9BDD9121F3D1F9EF0BC37168C3CEFFE95BD28A0B73D6C0D903D8723363E8381F8BCE7EB073EBBF4E8BDD65931BD0391AB3C8980A03DB0DF023ECCDFA2BD5428BCBC5967C6BDB73EC83DD76EED3D1774983D5EAD473ED7C731BE7AB3A2BD682D59BD3D36223E173AB7BDED710DBDD9189A3DF06C123D2ACEF83D09C20FBDA78C28BCF878543DCA5A8B3D773CABBD951EEABD75D8693D92D3CA3D97F12EBDC51741BE0D34D63DFAEACF3DA5C2653C10EEE13D9D9A08BD3D957FBC4F681B3EF53E8F3DFBB2553E15FCDDBD20E504BDEBEBBD37A6228CBD1E43883D072F3A3D88C462BC45B4EA3DD2B8FF3CC8071F3D3319AABD150D233DBE109A3C744AB03DBBB6473DEA42D7BC060840BE7FB3A63D58CF5D3E65DFCFBDB9E5BCBB0AD27E3CEFEECC3BA309E13CF603023D2263793D27B208BEEDFE52BDAF53D7BDEF5424BE982FD13C5BDCDCBDDA2AE8BD8FEAD13DF389343DA27319BECFCA473DAFC5F0BD53CC623EC842EABCB49781BDA784D53B68FF19BBBBFE473DD0CFD1BB332608BE6FA7303E4A0532BC2187453E157AE63DB7F657BE527E773D9B18B5BD4321893D935DB6BD3C829B3DDB11A63DF40A04BDF07971BD67F201BEA3F0AABDBB86033E04832ABDF37E653D5FD9843DC337423CAE1C163CF647333E692747BAE7E3FFBC771D603D30CF7F3DE495A43DC37D153DFB5B853D10FB1ABED0C3F7BD8B9FB6BD6387BCBC5568213E4A1A123D3AC10D3E67F4503D025787BE9D69583B3274F9BC867CB53DCE3C0DBEBFAD2D3D87637B3DD3BE123E9AEB783C4A6440BE0DD1F4BCC753E5BD7570733BC2D1F9BDA5815D3DCF9607BE4E749D3D6AF0833E990E0EBD293BA03D2276F93DD50A7ABBC763ED3C3D8CDBBD07501BBCBDD55EBD0397DDBD36F6BFBD458178BD5806D33D6D87B43C83CF523E526AA83D540AA33D547FB5BC0B99FE3C7BDF583DDFD1653DCFA30DBE13482CBEAB4EB73D4F8E8D3EF8BFDFBD2B7C34BEA1DE903D8F743F3E43EA0C3E88CB8EBB1029D2BDCB941FBC5D40B53D9A0FAE3D6E29443C30BC7B3EC3AA8E3D4F99BA3B4885F73C1CF59F3D05C0FCBDBFEC5F3D093088BC4E07A93D372696BD42BF6E3D57C2E9BCC4783CBE0D0130BC0ABD7EBC674E2BBDA281E23D6C50483EDD7983BD8ABE01BDF61A1B3DE26A433E20D762BE3A6FE4BCB3DDD0BD5F9A233CD7EDAE3D5B6B72BC7D8CCD3D02711CBD704A703D1556593EB6FBB7BD83B8153E377B56BDF1C938BC48D8B13DE8ED6DBDFB0D5C3D2444823C30BCF83D5CBF863D535B86BDD81C8BBD7BA2B7BD504B1FBE90E1B13DE0F476BD1330CABDBB92043EF63807BC53753F3D50FE5CBD98EE523EF8B6713E88894A3D80F757BD4772F33CCDBF38BED0C49D3DFFF20B3DB5C6CA3D37CC1A3CAD16683ECACF19BDB04B663D0530B13DCA5CE63D244427BE7DDA41BDDB2043BD6780803A657B63BEA54F9E3DE3CB603D9BEEF2BDC163C1BDA29965BD22A5BDBC750D72BD4A98C73CC818ABBDBA771A3DA23304BB9C05973C27BDD7BC4268DC3DFF00483DDCBB383EA9C6BB3D42CB053DC00F34BD932C9D3CEFEF3ABC0AB90EBE305E853DFE2A843DC8A593BD155DEABDDBE738BEA773693DC7C53ABD20C411BE06B18FBD700CE9BC97344BBD38A8B23CC4EB453DD30300BD71E1043EA28D803EB3DE6EBCA8A96F3C1E908DBD73DC9C3D178D21BE57D7FBBD5DF09D3A1A45E8BDCCF32FBE12F5BB3D22C2F03D093AC13D021E553D353A6E3D3A41E33DC5EEB0BD7490023E188D0E3EDC60BEBCFD5D013EF70B963DE7EE1ABD9586643D459A78BE3BB13F3EAA28803D894BC23D294E033EA088593DDAD2893D6C3F04BE600C94BE61E1AA3DA53B523EE79D14BEF72598BD4545F23C54E51A3C88D85EBEAFDD093EFBC4DB3D6203FEBC79101F3E0BEC48BEBD430B3EE1682E3EAB35043EC9B08E3D1BD95B3D471D6EBEA1B3973DC7AE1DBC2B850FBEF4F12E3E0C5688BD6770903D839CD7BDCF4C82BE6B94933DA3053CBC6542E53DB8416CBDFAC4E7BD2E5C23BDC888B23C45E3BFBDAC4CC3BC57879D3CEFD8EABD3FB6683CC575E3BC3FDB6CBDA7AF063E2A2059BDC263C13BF85456BE8D6F69BDD3BCA4BDA6D907BEB85CAA39721B6ABD972DF4393D8B4C3B2BE628BDAB079C3DD7E710BD670F3CBD3AF0C53C6FDDAA3D133DDDBC9B8089BD784A4D3EF02876BEA2FBDB3C6A4BAF3D474AE6BCB79D473E97FE85BD4B0810BDAB17103EEA1CE1BD80FDDE3D8E340E3E67F747BD70C21DBE35BD2D3D60BD0BBE23F44DBDE4FFB63E176E8DBCA699B3BD4BB20BBD73338BBD4B1B163E285491BD3AD6713DF3F2B83DC73E1CBC1F9713BD341622BE0C1149BC174C7E3DE72771BDEDE7DDBD2B25DD3D840A10BDE42036BCD780DDBD4DB7E73DF88CC33C2AE24F3E7F018E3D67F751BD4FCA43BC1857E23D1CFB373D668989BD4B5E87BC478EA7BCAB72A8BD1FE352BD2A1F78BB7E42B13DE094943D0B6BB1BDEAF2163E618E913DCDE167BD3D010EBE69C6333D054D07BDCAB0183D1543D7BDD7ACCA3CDADC05BE84B417BDDB99B33C4A94FB3CB267B2BC7916B13DDBFC94BD15D2E1BBF317E13C70180A3ED339B23C670BAE3D00C3DABDA2B3A0BDDB1F9EBDAAA3BC3D881DECBD957D02BDDBBA70BD1FB35D3D7F3E283E9619283E3AE5D6BDEAF2333E931A4B3E8F6A813C10FE65BB93B9773DFDCC6C3D235BEE3C3347123E695005BC1D31BEBCC2A6B73DE89E8ABE302FAABD7D10F53D057260BEB888593D3824D1BC24A890BD739483BD8F9B4FBD17422ABE3B86F8BDF28E4BBD97266DBE8466983D1572BE3DAA5577BCE8FAB83D0BA5F0BD2A250D3DCF3B293D10E4C13CE2CB84BDE26569BD2F36D43D4A44F03D25F9F03DD28D343EF4BF00BDFFB15F3DC7A99F3DD1C884BEC5CA37BEC0F521BCA42C0D3DFCDEC43C80E5433D0B4ACBBDAC898A3D2A1BDCBD804DD8BD0FBD0D3EB398A53C5FA91CBD6F4CDD3CD174A8BD471F74BE90CC9D3D8D37873D6A34DF3DDB25CCBC586A29BD2873B6BDA17221BEE177963C0C573A3E33C59DBC8A31A5BCAA47E3BD1C78993D87A6A13C674F2EBCAE153CBEF3AF023DD0763B3E891F2EBD1FE625BE615419BE9D3B1ABD34759A3DA025703D27BE863DC02F5CBDBF257F3D63298DBE38E598BDD4F8A4BD07B129BE57A330BD188C373DC0B3E0BDE7989FBDFB48C1BD28CCB03C08F27C3C2430313EFBAA8A3B67A23A3B0F048C3DCFD513BECF4A603DB35BDABA288241BD1B4150BD5B7BBE3D453F63BCAFC5803DF46D903D71A7223E47A342BC1E46453C0E001C3EB5C3D73DA3F6E8BCB35502BC610E9F3C6A3D7D3E08F2C9BD9A246E3D848C0EBE937C6E3D80686C3C0309793C47B7293E9CE5463DAA99853DC533F3BD887E183EBF563ABEADB88A3DDBCE36BC9A2F22BD7B69CA3DBB1113BEA2D70CBE4F03383E77B74DBDFCD2103A67E19B3DBEE3253E0044A13D07FF4EBB5166BBBC6F4C65BCD8CA353DEF8840BD9FEAAA3D0A0F2BBD3C04293E8543B83CF7DA393DB02ED4BD97E211BC804052BDE76F62BD62724DBE986E173D702F53BC"> : tensor<768xf32> to memref<768xf32>
    %14 = loop.constant dense<"0xD7B86E3F7F2F823F5E75823FE0D1943FF73A683F96D0703F440F8E3F782E9A3F5E05803F1565713F11788B3FEF55853F15A47C3F3CF7743F69D2853FA8178A3F08DC913F131B773FE128893F63F8823FB4B89D3F402B8A3FA1F1693F7FE2733F1856823F7C758F3FEF1B7E3F2ADD7B3F8B748D3FA82E973FD112833F31A8753F383D933F6592753F3C46903FFE3E863FAD61593F2E764F3F48488F3F2082433FA980703F02F3773FF4A35A3F9DAE843FBD62763F4B446B3F91516C3F0AF0673FF792833F8B7C893F4BC28B3F192E823FBF70793F10FF863F0CE16C3F806C733FE863593FA01B3C3F759A873F9C0A403FC4906C3FE01E863F677D673F22E88A3FE82B733F965E793F2C0E5B3FC2646C3FD27D943FF537803F8C89693F01657B3F709A863FBAE7513F05D5903F9433893FACAE833FFB51853F98F5463FFF2E883F9157793FC2DC873F0D936D3F6CB57A3F9B6A8B3F48EB973FC7E0803F936F5D3F43A0703F83429C3F7BF54F3F56E2833FBE36843F88E45C3F4EC1973F2E2F8C3F388B643F489B743F56A28C3F44029C3FA62E7B3FEA94943F366F903F1FFF8D3F70118E3F3081853FFAD9843FEA4C7B3F10388D3FE788603F77756E3FD233793F5B76783FC0BB7B3FF49F6A3F8535913FD259823FEB486C3F0B2F553FB76E803F7B74863FDC7C5C3F52338A3FE3E66C3F77B3973F769E843F2195943F9743893F11648E3FDC03763FE4DF613FCB70843F6D558A3F55958F3F50B78C3FAEB78C3F40A8453F4FBD803F1C00993F3B58563F3B9D823F00C38A3FF2C88E3F70AF843FA443603F6F56663F9E2E6E3F36DB713FFF99613F27FD953FFF31713F5C42963FB2D3833F222B713FC419783F70694B3F4EE9823FB1A0913F236B7D3F36C78E3F0FB8813F2F14813FAA08623FB56E553F4453833F0C20743F5004A53F3DFB4F3F88F68A3FB4F37A3F7222623F4D05833F71D3743F5EE2823FFBFE8A3FBE99963F79668F3F5A074C3F5DC2793F41F2653F213F8F3FCDDEA03F841B883FF2F97D3F5DBF683F3A41833F73085D3FA703943F4358913F581C623F420C8E3F122D803FFB4F813F2699793F34815C3F70786D3F498E7A3F18469F3F626E753F4E9C6A3FAB2E823F196C673F160E863FA830713F350B7C3F182C8A3F92DA833F4122813FBF218F3F01D0633FED647D3FD5638E3FB6DF433FC3DD863F91D1913F8B17693F9AA2853F7A21863F8219813FFAB46B3F873A903FBAAE883F7851873FFF557B3F87C0893F4BE3743F84EE853F63D8713FD460803F5787823F35597F3F682C773F4714693FD3F8963FF2157D3FCC5B853F7EA7723F8931843F02F7603F43B6633F3B73683F4C12593FDF76603F30D1953FEF959B3F787C803F9FE9813F29ED6B3FFB1B713F69C26B3F42EF6E3F8285813F336E853F4BA2823FA1DA693FC8F1803F0F24663F711A893F6CF86F3F262A4A3F3011753F5151793FAE947F3FF9D0783F7786563F8EA2823FDC7F703F36D9873F5E617D3FDCCE6A3FB3346D3F54637A3FB7A9723F7A3C6C3F38DD7C3F3F91593F93F6893F30EF693F1F6E733FE94A443F525E7E3F4CD35F3F0FF7893F8AB8753FCFF0A33F29CC843FD4A1883F72E9803F8FAC6E3F16B6873FEEBC553FE3EB483F95647C3FAE50733FBA26913F6025883F5008903F01E8803F98CA833FF3EB7F3FAC5A593F4C2A3B3F00188D3F9444833F248A903FB4138E3F972F703FE170823F9860783F38655B3FAAF9843FE3A56E3FA9E36A3FDF8C923F88D4873F5F31993FBEBE8D3FA300943FEDC4843F83AC913FA7EBA23F36E78C3F87627B3FE16C973F234A833F2231593F1D978C3F229B873F520F813FC664763F17958C3F3F5C373FB51D7C3F6491733F5323943F54A3703F8F5A823F838D8F3F254E803FD4E7613F1A7A5D3FB29E863FD3D58B3FF86D683F96F27F3F88F6843F4D34833F0D5F823FB502803FC0DA5B3F0492783F87026F3F6839853F242D843FAD0D8C3FFD167F3F2C237A3F1B5A903F8224873F1069693FAE28763FA16E853FC52E963F872C803F91AC633FE4B36C3F64AD723FAB18723F8093803F4242873F35307D3F8B64703FAB08623F3533983FDB06883F39986C3F81688F3FBBED863F69B6883F1CE5943F4EDA8B3FA5717B3F707C803F7191833F3780803FFA30693FD45D543F634E7C3F64527C3F1C15953FECDD8E3F7D95873FE1BB8D3F5B0A7A3F273B923F6EE1833F1A56903F0B137F3F9529863FFC27933F3A088B3F6F54803F5362843F3AE5863F8DB4723F5BC0673F57497A3FE380863FF83F923FDE984A3F1C5D8D3F9F718A3F10FD813F2523703F6B87653FDEA2713F4C72813F428C733F5BFB723F44538E3F3BDB763FF4FC803F0ECF543F3CB8613F205A863F1012863FCBB68B3FCD6F7C3FD5EF753F7245863FF0CB623FA750833F452A693FB4DF773F825F843FE0B1813F8000753F5E2B6F3F9EE18F3F0697843FD4646A3FBDBC6A3FF98D793F753E663F005A8D3F2A66803F245CA03FD8E3823F5298813FB6E2763F3B5C643F28DB6C3F9899803F2F2E913F461D803FCFA4923F1BED8A3FA058643F82FF883F69F45F3F6FF9863FEE696C3F5E228D3FD541653F42319B3FE32F813F6CFB973F17CE813F7C4E793F1C9E813F00224F3FD426853F5BF26A3F15538D3F5B73823F8FD5903F1C06823F5B07873FD639843F42DA6D3FD516893F1BC3863FB968723F469D7C3F464F7C3FFEAC893FD12F8D3FB55E833FD0B2963F1357813FA206833F387A813F0DE4823F1151853F9C34903FE9E27B3F7E5A653F49897B3FA657553F0797803FB2076B3FF995833F2B80993F6FB48D3F2E68893F0FDC903FE9F7823FB8026A3F3E80863F4E3B893F8AE64D3F39028C3FD3A06A3FD193803FB796823F33BB753FAEA87A3FACCD8B3FAB0E6E3F5A5A953F3459483F9C5A743F77C77A3F9948823F0D69773FAC6E7A3FB8078D3FEC1E723F5404853F0A588C3FBD53653F7C585F3F3E9B8F3FB1A19B3FADF86D3F921A673F4F63863FDF89963FE094813F6967733F6E8C933F1FD58A3F3F27993F635F873F30468A3F997A873F8C1B813FC07C703F9FB3823F8493433FF785653F73EE653F2C5F793F2F877D3FDE9F673FE3AB793F5910833FDE0A8B3FCF6B783F83AA933FF3DD723F3B01733F88F8813F01DC7B3FEAEF993F85A0853F3B048D3F9E188E3F86D3833F2C80553F3D247C3F1879773F4DC96C3F73028B3F5B6A7C3F4847613FED36803FA6066C3FBFC76D3F21C85F3F7C9D843FC2957E3F4D2A5E3FAB89583F41A87B3F1E75843F817F763F5F7D763F7499923FAAA8553FD7E1733FF603893F12FA833F3155713FFC9D673F67377B3F1376853F29AC633F4FCD793FDBD0503FF5E47B3F1D21883FB859733FE419723F6E4E923F0952633FEDCC513F3CC8953FF6536E3F681E473FCC7C703F0958603F0C158C3F31D16B3F1A10933F7EEF7E3FCFF3733FEA63853F4F61663F73C8883F0B6E873F4D0A633F7E51803F3EED7D3FEA386B3FA521803FEC1B843F6CF0873F6333783F16B87C3FD5F1823F39558F3F01C6833F8C0B6B3FB5F3753F58E7803F158E7C3FA9048E3FF6AD803F3A76733F38788B3FD1706A3F5CD2573FAD20763F4062683F735F783F238B6C3F11BE8A3FEB0F823FE75B863F5786693FED766A3F5F6C833F1AE2813FE59E823F842C753F097C6C3F62F7593FEC026A3FA2E84F3FB531853FC65F863F02A2763F63848C3FB313803FA0348F3F728A6F3FE6D64B3FD87C483F0968883F018D7D3FE16A713F82D5843FAE54843FD5016A3FB9329E3F8061713F463F5B3F10885B3F4E6E823F73EB763F8503793F08E1793FE3158F3FCE437B3F49827B3FFC3D743FED4B703F7AEC693FB61B633FDAFB953F950D993F66C86E3F6CA78D3F232B823FBB6D7B3F4802613F3F548A3FBAC7793F2B569A3F9AF3863FB627873F6432913F9DB78D3F36C48A3F6A4A813F6AC1583FB237943F61D78F3FCF407E3F3FCA753F2473813F3EFC6F3F37B24E3FEB967E3F7577773FB245403FE2716C3FFB40753F1491413F38DD643F31BE6A3F6461433FDF2A5F3F70B9963F5A5F893F162C833FED92743FA7B8663F4051563FF46B863FACEC7C3F8583753FCD455D3FD93B853FD06A553F668B813F354B7C3FA2A6873F75CD8C3FB2D6913F62357C3FEC3A8B3F881D653F7A1C693F9856803F0C62323F887F4D3F634D803F39218E3F1BA98D3F7075803FA10A953F748E933FC3C95B3F7A2A693F0A31583F994F813F9142763F4AE8893FE1EB893FB1408F3F9A18963FD16C873F2026833F63B28A3F81DF733FC240793F"> : tensor<768xf32> to memref<768xf32>
    %15 = loop.constant dense<"0xB2C758BD1CC115BE00466CBD301027BC7603BABC977BFF3C8FC4C1BCCD29D1BCC059903B0EB6173DBB425B3C58F953BB419D30BC0DF95ABD73F2A4BD6BE14ABD3684CA3D009222BD9F5F703D31A7C5BD61F6463EC3178ABD0A88E7BC8551EDBDDA28F73D3B3B503EFC5F21BED0284E3DF0ADC53D4F5E1BBEC72A093ECA9D533DE3D6C93DBFC4F9BD2DCFDBBDC6BC493CF4184CBA1F350EBE1DD656BEE12280BDA03753BD1F730F3D9BC6963D249315BE6DE4BEBD42887D3D42CD453D8AF85E3DE3558CBCC50AD83D333534BE6A73673C6E1A463EE5EFDD3CFED93E3E50E57F3D5BC02EBE738FEEBB0C76043C0BD53BBD888B563D1B342EBC36EC1BBDAA75BD3CAB5007BE3BF2963D3B726E3DFC9BA4BDCB60193BD335C13CD8991D3E311535BD472CEA3C605AF23D780A15BDA628CA3D70422B3BCDE14D3E7B9AF6BC56550C3D2FCC00BD7EF7CABCA5B4C6BD646B21BD1D7AF1BD0DB686BEA397A03DCBFF9FBD9776E7BC4C26033BDF38803C19FF35BE25AC63BD139A953DFD07093E1833E2BC3F72C0BCB8CF663D4167993EFB2730BE1B2D923D77CB16BE2F884C3D1573F23D5EF83D3D8B55463E75A2383D5F340CBE5BFDCD3D8BFD28BEBB3F26BE031C79BEF41EA23D9A60543E7073253C165D92BD67B4A7BCF86AF3BD73968EBE7FE6AD3DEAE6223D7A0ACFBD8E813ABEC23BCEBD9B013CBB86571BBDDB171F3D3F1137BD42E683BD4820F2BD8B128B3DA99100BE547AB63B9F02203EA548963CD3CDECBD26033ABCBF18A4BD228CAD3CF08023BEFC3D0FBE800A4B3E763CBE3D3B280ABE67CD2FBD701B62BDF2B3A9BC15BA3ABE4F19D9BB3877053EE8E8A73D3C5222BD7BA8D63D984E973C0864E8BD7F2435BEB27C67BE242190BD43290EBD26A516BD53F7743B38331C3D7A894E3C70F1D5BD21699DBD02F0273EDB1892BD4275FA3C48A0643D95DFB3BDDB9C703D5D6340BE670DE4BCEB0F8FBD0FA208BEF7C2EEBDD9500BBE6843A23CA0A157BD77077C3DE2979C3C785B523D57E2FEBA00D9363BE540E0BC2B6735BDB5C36CBD493F8DBD03D8E3BD82CD993D27ABFB3CDA2704BED8BB033B0EFF123E5A482C3EBDDEEE3DD57914BB034F62BD7A1313BE7035B1BDA4A7303E81E0BABD2D10743E712A0FBEFFBE143C5561183EDF6926BEBB791C3E0B2DFE3DE026B33D906A6A3D773F1DBE1B409DBE4FAE513D9B960EBE2BF6B8BDB79030BD5D5F8BBC8CCDAF3D175EA13DFD66B7BDD112C8BCAA9E0A3E30518D3C43E0523DEB0C85BD0FD4223DC142983D9DEBF63DA93D2DBD7E628FBD8FEE3A3CD59222BEF0AA57BC45ED8BBC177E8F3D48A4DFBC8F33D83DEB57D8BC5A156DBD8F5438BE81B6083E1BBCF13DF357E83DE8897BBE8E8E1EBBD531913EEF940F3DDFDDAC3D790AC6BC3006503DBFA69BBDFB21E23D8F959A3CB243933D1CDD883D8F6C353ED3A9023E837732BD692547BDB5B67F3ED25EB1BCEDD51C3EA87C3EBE20EE81BD88E9DC3DB5EDA13DA8FA0D3E95216F3DE59DE93C225678BE1F1DDABDBB2F95BD68F7D3BC55E7E83BDA39E4BBEB697DBD52BF403D15723D3EC2ED003D2DEE363EDA6F9D3DEF3E2B3EDB4D19BD3FE5C8BC380E473E0F9788BD817DAE3D2E95C53CF58A913DF34399BD62F50A3DC8AE553EE37E033E2E4A81BD973124BE60F2FABD3B10FC3DF88CE4BDAC58183BF79F93BC0759F6BD1BB142BE3219DE3D65382FBD362D453DE9AE933D4FAC623D9493353C658098BD77433BBDC3E1CCBDDA8FD3BCC21FDD3B0132AC3B06D939BE3A0995BDD494B9BD0F07B6BD41F6C3BD42C8D73C1758E3BD5B7DC8BC5F5BCDBD72045A3DB7F16FBC1B728BBD49E8A1BC3DFD5A3D3637903D53F4E43DC5A6C23DE39A383DF72451BD2B8673BD92C8A3BC98025CBE63ADA23C045108BDA592EE3C3B69493BDD92D43DADFFDD3DEA9EF13D3CD8213CC3F951BE86F8993CDB2F04BE4B8A8DBD0D497EBD4F50CDBDB8843D3DE9D22D3DDD34453D61751BBDD5FAE0BDF8A966BD070FB6BDBD45023EF58F723D979B00BD974DD2BD9B3590BC65E2C2BDD5544F3D2B5C79BDCFD197BD6BC90A3DEA6E5CBD72920DBEBBB073BDCBC2C0BDE7197BBDD8280BBE7352A8BBED8E743D41E3803DD0C35C3C1DCDCF3DC74C8D3DACF6263EA24B27BC6489883D330550BD3BCBA6BBD8FC583E7FA3D0BDA5F961BD1B3C91B95F1DD6BBBD83A43D5EFD2F3EB32C463D59578C3D6F5C9B3B535BC63C3680263EA77915BE15E4E23D1BDB483D02E9F9BC487B7C3D420FD23C836CD0BC8B51873D3711F83C07FFB7BC83FF1D3BC8A7BF3B1E062D3E32DC003E27DD333E8B8A1E3E4F9C78BB8C2FB2BC9BDAA93D5FFD23BEDAFAEEBBE3837A3C2C9B333E038BEABBCDE23DBE953CF63DDF9A9CBDEF90D03DD98888BDB3B5E1BD4A51453DB1F9C4BB12C8D43D2580E8BD1D06AE3C320C19BD4F393CBD0C5C88BD0664A93DB2830D3E32DEA4BD20AFA4BD83DFD0BDC087F33BC56A00BEE5220F3DBAFE593D45B44B3EBD64C43DD95C0C3EA06008BE2FCA8F3D92F8F2BC45ED463D0B17B73C20497BBCF70BEFBD9B62183E74CAC7BDB21C5DBDA01FCD3CB5A83E3B9870E53D39939F3DE8CAE83CB74C263D8049253EDBD6C73C35A70DBEE986053E5DEE113D74E0AB3D07B0BE3D1B113A3DCEDB333DAEA3233EEB33FBBD35DDD8BD467702BE9199B33D4E04863DCC201ABDDF28683C07E48DBD743B3FBCABDF163D844219BE2AB7ED3D2B1AB53DFBC69C3D3AE6213E948D13BEE0D5F3BC75B0F0BD0847773D935520BC40470BBCCAE9D03D42D6EABD8ADA8DBDDBAEA23D9ABF6ABCFC0E86BDAA9E5ABD97761F3E8F90453E66D448BDDCBA8FBD21E0473E17DDC3BD578F5FBE42D4D13D97973FB957362ABB16EB00BEB3BE2F3D83328C3D7D0ADC3DA3D2AB3D92EC87BDC886213E403F833D48333DBD60F54D3EF57C003E5D4BAE3D9790803EC389953CE0C1D0BC49652A3CB779503E844F10BD5870F73CCF3BD13D5BAA283D522125BE2562D33D9B86AB3C7ED51E3D520CDA3D15CBE63B8882F43DEBA9323DC222A93B2FA87DBDE9A500BE2D7292BDFDB4BF3DA3A4D7BC34324C3B03FB083D2B8B293DCFA72CBC007773BBB23D18BD12C81FBE1817FC3D49FF84BD05F9243D7B5C1EBECB813FBC938F513D2EB342BA1488113E25700FBE9FF6F73B8A6C973DB27676BD238E9ABCC22AD7BD92C3133E01941A3E9DD79CBD885D843DA3AA31BC5A017EBDE0985A3DE9BCB83D774D963D2EB24BBD67C264BD242B9C3CD6C58EBD6DFB67BEF1FB8FBD079D28BC765E803C9702BF3DB74D29BE5E66323DE16BA63CFDFAD8BD2BFC123E8B16FD3D31C93DBDEFA6FFBDB84E3E3ED5177F3DBB91EB3D7CC0BA3DE23C7CBC5A8D263CBB8C87BD3D266FBCD35C213E2BBD46BD22E47CBDCDB694BDD41B95BD451125BE477D543D368B0FBE9597803D78A676BDDF5132BD65CD2FBE4506063E7DDEA33ECEE0843D2DC1E8BDDA4CD03D086FE4BD638BC73C73C607BC043BC03D23B7673C6A10ECBC6676AABD6B98B43C524BFF3C7D9EE13DA733C83DA4AD82BD85778FBD65EEAEBCB3E01ABD5F8515BE2A6973BD0C802F3E1094133BCAF5D2BC1DAF983D5406343D53F845BD4B58E0BDC053CCBD146314BE6B1487BD793CAD3B6F8DA53D718117BD13BA78BCC8DE273E7FBA18BDE9FCC43D7DDBFCBD871391BDFF9BF1BCD09969BC1D4A12BE0817FDBCACCF143EFB49C33C34B6023EBBA80CBB69608B3D9A2EC73D60362D3EF407AC3D8D1863BDA281CEBD073C673D66788E3DC1E087BD8E0D1EBDA1C13EBE4AE5633C5E679C3D46952D3E1F8DD93C5A4A1BBC55DD743CFA4BABBD16B1413D175C60BD783D2B3EC0A5403DCFB2AFBC9514ABBDDD4B25BDDDD5193DB5F5D7BD09DC86BC9A22543D8FE4043E2D3FD1BC67AB1DBCF1FF3E3D70A5B53D76E0BDBD176625BCDAB1433EC3C0173D4FE9F93D45CD71BC1336EA3ACCE4C33B201FF4BD8DF490BC96959B3D092C23BC0BEC2FBE8B8A16BD80589F3D43856B3DE78A2FBEC7D5CFBB96D9203E8FD7E7BDD74DDE3DA3F9CDBD1E76C6BA178E0B3E036DCF3B7F63FBBD1BC633BB9F3D843D266BC93DCF7E04BEFB3D47BD7D78E63DB8FD7EBDCCF792BDC0891D3E488EE03D616A49BE7A04E13CC3FCCEBDE3C9BF3D66C69A3C476F20BD3F4C713D4B54233DCF54313DD0C25ABC8B7C37BD8B6FE9BDEB6710BE8E1CA4BDF16C943DEA11CCBC2EB02F3D0CE840BE5301393DABD460BE43C1ED3DCBBCE93DA9C11C3ECB437CBE47C9D7BB5D540F3E4EC49CBD82BA743C47590CBDA323FC3DF7C8123EE7AC333C7F5C043E4DA3923B5EA2BBBD9D2563BD"> : tensor<768xf32> to memref<768xf32>
    %16 = loop.constant dense<"0xA2DA59BE95845F3D19D88BBE6578D0BDAAD3ECBCCE3CC1BDDC0A833EC45FA0BDB232393C6F65CC3D8BEA35BD542C263E86B6AEBD5C96A6BB307A86BD73A62DBE5A87E83D008828BE5BCD0C3DC0B9C93B6D837EBDFF57473D44B1823DDA6E43BDBB00623D905D4E3B99F38ABDCCC11DBEA09E453A36B81ABED77116BE8201FC3D124FFE3D8D89513DA348C33D3D0C62BE3B4B0DBDA221D3BC205AB2BECA32DA3C3C6B313E5D6E263EF3ECAB3CD3F7AE3D537117BD406CD7BD0273023D871E0D3DD76D48BEE8CBE93D67D6D53D8B8E62BE5689C43D6576D5BD1F49D6BD2743CA3D315EB13D8966AB3DFFCC403CE3F3B3BC031D0ABEC05840BD504782BCB670AB3D9537283EB6A74A3D504F80BD2B78B73D6C4C363EFDD7183E103917BC67CDC1BD5FD15CBD40D1073DE65EA63CEB1BABBD72195B3BC0E33C3EE8C9433D78580CBE167A203D8909833D908BBDBD27E1113CCFC797BC8371DF3DE399A83DEFBAF93D67ACDF3DD3DC0EB91231443E1ABBEC3C7F558FBB3A1F7B3DB15FB2BD0566BFBC29270A3E7DFD563E023B6E3CCE8FC2BCCD3A8FBD3B49873C5AE802BEA19E37BD7B7F9D3EE72E233CDB5BC2BD20F4A8BDB6F7C53C381DFFBD230014BD6C1CC6BD1BE83C3E210A3B3D45C358BE597D87BD5B40923E7C8A1D3C08AC10BED3291FBC8FD7E1BD1E15163B8918C1BD1F12D5BB3F6B973DEA290A3D08BB04BDC300BDBD11DD00BDA30B28BE310CC93DFEFC493EF96139BB2365F1BC373CC8BDDDE17E3D5F0759BDE003E13D6F9435BE53EA3ABEC3DC95BDA150C13D1F92D1BDD5C33EBED600123D578A5A3E55FACCBD4013B9BDF0C42A3E190D183D8306DD3DFA3B54BE395980BBCB54C4BD606346BD1B7BD7BDC8216DBD8B35F3BCFF66153D6FF1EEBCC776BC3D72781C3EA5C94EBE9431843DA9421C3E8AE820BEC369B1BD7A9D943CF7620F3C3DB5003EAB9E5E3CE3E7103D37F73B3D6258A9BD2ACDDB3DBB7914BE0FA30BBEE06A45BCC76D8B3D2B23853DBFD0C1BC2BFEBD3DEFE827BD80C806BD57B3483D01061DBDAD20C03D8BFB923D87D104BEE8E17BBCFB021B3E98FFBABD33153CBE077E923D9ABE303E1CEFB53DACA21ABEE08841BE6F29C83D4AC67D3DC79C93BD39ED2ABD307951BDA448A03DBF6277BDA01EA83B3721D9BDC83B343E3ECA80BCA458373D654AB2BD5E930C3C08E7A93D66EC31BEA3730C3E57F1B93DF33F86BDA175BB3B4227E03D000434BE8BB2ADBC637E33BDE2F8163DFF7EC03D64819CBDEF63B0BCAD0E53BCE88D06BD4545B2BD73E809BE0B1F013D1F7893BDFDBFBCBDC81DEEBD62B6243E07CC8F3CE11E12BE12F5F13CC86CAD3DB44F30BDD51AE53C422FFC3D2E353FBADBA5913D1D8D26BD3DCCAABD635C7A3DB4A5A3BD514B03BE8F58303E39FDC43DF8E3743A3A3A973BEC36803D5048463E1D4A38BE22DBEF3DBD2C49BD770A45BE4E828CBDCC119FBD97A31F3E1BF1DFBD27DA4CBE5281343D53CDFFBDCF82913DCBEF1C3D7B98C73DBFE00DBD33C3963C87DA9B3CFB335EBDA815D73C00E9073E1076103DE7A077BD8BE4933DAFA814BEE3CF7A3C1565183C32706F3ED744D3BD05D8C5BD89B1433C794F1EBEE335843EA5010DBEEF6DE1BD158D333D5B44823D6F479FBDC59288BC8C71303E5D61EBBD1ADEC5BD65B06D3D6E1FB73D3D82333BDD47033EB247DBBDEA5BFC3C1A5EF23D4B40963EC08B863DA72933BEC5C5E8BC47520EBD7500AF3B1D260C3C03E9BA3DA57FE83D402DE63C223EFE3DA0D7C53C25A76F3C19A3163E380B77BDEF2CD53C955A61BB8D1F933DCD097D3D1C1CAABCAF839CBD3B344C3CAAE48D3DEBE19CBA90D8473D7E4BB43D6CD49CBDEDE7403E67FB113E9B6C0DBE4A64673D8DC00CBD895C1E3E1FEEA8BC62845CBD98B0833D953E9B3DA3B84CBCF10D17BEE0B16B3D7DB289BCCF1E013D18DAB83DD14198BDCAE0A0BD213423BE5BCE0E3D132B0E3E9CF8113E609120BD3AC4E03D9694023C273761BE32F0A2BDA45F1C3E5670C13C90AE6EBD87BD8E3D8BFED63D3BAC63BC7CF4B23C430900BE1574E2B9E3D00DBD12170CBC6BA180BD2399F6BD4B781FBD5914033DF703473B47A6833DBBDF55BD26ABC8BDAACC793CCFE42DBC975A69BE8BE38FBE8EFB9C3DF584733EDB2202BE6263B63DFB570E3E5EBA97BBF9DD88BDC2712DBC31E3803B9F0C0B3D8D14E03DB04B4EBD833E61BCCBB02DBEA7FCD23D5689C6BD9C1884BD01E109BEBE01233E2811E1BB87A770BD903C62BDC9B1813BC57D9ABE8EED2EBCDB5995BD23C44B3D2F3D323D056D4ABE0A1A91BD6F60003D9B11B43C8BC32DBD72376A3DB4FB323E03E837BCDC3647BE23635A3E501FFB3C5868D53D2FADF5BDFD2917BDA77BB0BD22F4F6BCF2BCB2BD4B4337BD244C103E0C46933D6B7C74BD976CA23D89B41ABD53978F3D071744BE375F23BDEDA5A9BDCF2BA4BC2018C1BD4A69BC3DF75803BE8FF01FBDF1ED0F3DE3B4B63D4F71DDBD09C526BD1382F03D7B4C883BBBE112BDCB9C483D19E5AD3D93745FBD271B8A3DB25299BDC85F613D587E613DB4B6323EA31AD43CCF9E35BD1F02EE3D1B8362BD889514BE13B8523E9A9E803D38C9D53D8D1BCABD7559E3BD75EFD13CD8241B3EFAD8F5BC1A54733DC7DCBF3D1C7B213E45B88D3D27A1343DCC5D3D3D42B36F3D08B3B9BDC3BCC9BC37E3183E5D8CF4BDD5D53E3EBBD00FBE9289AF3D37EE393DD76ECE3D41EF85BC70D12E3EE54C8E3CB5787E3D5DF7523E8E05AFBCDB42913C3E3984BD9B5D05BD69AB94BD689A473E0A62233D5376D9BDCB560E3DF489A5BC5753B8BC07892CBC8C9320BC13A27ABD75B0273D65624BBC5FDD683D3B03E7BC4B6F30BE19712EBD35FFFE3D7BA1373DD3AEBBBD2D83F93C48D8A5BC2994083DC5A39C3CD378E23CF15536BC7A67063D085B0E3EC1E038BEC5958CBD036B0BBDC3AF523D82C0973D7B053B3DE18D14BE1728153E0BC5F6BCDFF4953D026ED33DE36B533D18711CBC91C6113E4CD90F3D51634CBC93CF10BE024688BEA2812F3DD25DDD3C6765D2BD8F71B13D3357643D1F8C8CBCD0D423BD1342A1BD0B94B6BB1AD908BD9F40C63D73A6FC3C62D4E93C058C7BBD1B2507BD6E7004BE0CCDA2BC5740233EE5D8A93CAFC7873C7AABD0BD5FF40D3D8CB2863D930D86BC2ADBAA3DB385A43C0A4A2EBBB07C68BE53778B3EB3B7303E475E8A3D0AA3153EDBF6B43DC35B32BD4418C63D721554BCC9BA34BE8C84B73D411E1F3E8BEF813D771301BEB582D9BB7A85CA3DC323DBBD9DECC23CFE280C3DDEBC9D3D7F86983DBA3BA0BD0742C1BB9CC2AF3DD85403BEE11D813D79D1BFBDD82B323E5978B73C2D8DD4BD2382693D18A96FBDFDE4F73D5293B63D6B3432BDB38C6BBD92C2D2BD6750EA3D7A590E3E0B8CBF3D0B7E373DE7E3DD3D80BF4F3D470ACC3C870B11BEC18224BE4AB796BDC7EE013D4BE6493D834BDB3CAC7703BC096F313CA889A13C2309D9BD8B1870BC6AFB0D3EBB6DAE3D8AFB2B3E8FA791BE7B49ACBD247C813D0027153E9912473DF71B253D7087AE3BDF51173E9331AF3D0758313DA548603DA3E2E7BC3B7DB93D4BAC753DBDA34CBD72C089BD08EADA3DA106813DDF278DBC3BBD46BC114E283E2A603D3E3874FB3DE9390E3D33613DBE4319B6BD70E8D1BD3B7B0B3D123AD13DB7C591BC77A9D3BD710A1C3EDBFED6BC3A8EE03D03B7C03C20A28ABB52C0C2BD5ED09ABD2BF85E3E5D954D3E122CA73C6B940ABEBF773F3D422C2C3E8D55BA3D8DB6073ED7E4C33DA7782CBD8B93073D5A19E13D2A73FF3DED46423D2219003E7FC0333D01A21EBD30E58D3C7D3FCABDF53D6CBCB51FD4BD6A54F9BDE510223DACC3B43CF2B0C93D731353BD8B86D33B103A31BC10C5A33DC9F215BEBAF8603ED5B253BDFBF3443D05B713BD5B534FBC718A16BD521B113D929B5D3DC4EAC83DDD649ABD676BB23DD2A5DABD0084893BB8EDE3BC7D288A3C9670983D79E5B03ABD8A263E1547D03DE33C133EBDE5573D58C657BECE9839BC0FB7A8BD13380ABDEB46193DFDDBF43C780D5C3CCD95523D3B95833EFBA403BE03E20EBC9264E0BD3D9A3B3E323627BED0EED13D6056F63D65EEF63D5550BC3C0AC9F1BD4FE9A8BD804FF33BE1333EBD33D38BBB8D1D5C3E710EBBBD40DF8FBC7375303D18BEB33D3ABBEE3BB0CD403EFD9617BE79FD423E8735D73D8F37843DFDA1073EC70C423D5107A93D03D3E63D4D3DDE3D2006E0BCB0D172BD20C062BA7749D0BCF49F143E4523EEBC3E96863DC3043CBD7E0517BDADCC9ABDA53185BC2FE4E83C3B0533BE1D36433EF37BFABD139666BDA8098CBD"> : tensor<768xf32> to memref<768xf32>
    %17 = loop.constant dense<"0x107C00BEF8F91DBCCA44CF3D685A21BE9240ADBD6B7DE1BD8239AA3C4309353C0DD95E3D433D45BE34B1C23D60DA56BD42F4A5BD6F1B82BE3BA39B3C73ADC5BD3D18BF3DD07DCD3D2AC6203D59F299BDB311473E55869F3CCB81F03CBDC4D5BCD8F215BB9B8609BE00AA80BBEF9E733D2DE54FBD75D85CBED853A7BDB711143D839018BE5B907ABCADB07CBDDAF7ED3D7F5E19BD7BA7D93DD0ABD4BCB80801BE2A69C33D76D1A43DD68D133EF03A6DBDF8BF27BE5AF923BEAF21453D716B89B92FE44F3C10FE05BCD273353EE310BA3DFDC9053E7A3A53BC5C861F3C03E3CBBC88FB6CBE6D391CBE2B0110BE342FB2BD2C40463D90CBE63C93ED383D6EDB413A0F3770BC1A8DA4BDB4CAAFBDB2F0603BEF846ABD48D40C3E9707633E8D864D3DDF480E3D857A06BE7F96F83A9B615CBE83F9DEB9CF3F263E0F0CA9BC68A4C23CBB55133ECA47DC3C320CF0BD0D8E863D8CF606BDDF315D3DD295FC3D5ECDACBCB63A8B3C5694AEBCDF597C3E8DDCF13C98E5DEBD7C05CC3CC3691FBD2716803D57FC883DA615083D8BE528BEB3D5C33DE3E4E63CD5EB02BDA9E6AABC2137973D9923BC3DEF3B5B3D17B33D3D7DA6313D49BFA13DBC1D8BBD404EF2BDF9EC0A3DE431123DBC6F3CBE347735BDED9D0F3E22D8743D2859893DCF3B563D12CAA2BD13F2AD3EAE602CBE89BD0BBECC43C1BD557F4EBB1BC77BBD258D833DB56579BE576D41BD235E8B3DD863FDBD9214803DBB2D753D8035A3BDB42E213DF66A90BDF366283D5F6096BBBA25D13D6291CFBD17F3523EBDF17C3D83B60D3EC821C7BD4D98DABC1E6421BE7AC3723E07EC0FBE775A32BDB8AA87BD8F841ABD3B08993DC4CB4ABC27A5BBBD03C1093E1DC181BC126053B8B135933D931B2E3DBBBD6DBD87A513BEB52493BCA31B88BEDBE4473D79E21F3D25862D3D77E122BEF88F523D1F3453BE0E5987BD9485BBBC73D6873DF76826BEFB8B183E356805BE523C28BE918A4B3D62B09A3CF7FEC33D68D49FBD4FC3ACBD12796E3DFB375CBDE367B9BC40BE6E3D20D5943CD7FB32BA30E5BC3D8ED699BD569B9ABEFEDBBDBDEAB36FBDE6BE463E626AB8BDC0AC9EBD50DDDCBDAE0A143D631B39BE559295BD65CDD93BEF0F57BDFBABF6BDC07FE4BDEB5664BDFA6A763D9FA2413D38E35B3CA9ABAABDE3AE653C50F51DBC8F8A55BE69C614BE25F454BB1F899F3D7B0D93BE0D6CD83D674FA13DAFEB8BBCC3800FBD3B84943CC50F663DB988483E0B52BF3D916E24BD2005DE3C66C5833DEBB913BE90DE5ABDE03804BC024CDABD6245743EF3E3E1BD33BB41BC2F4D39BDF2E34A3E2D132D3E53979ABD8B8797BD55AA16BD883EDCBCE0F2FFBD995A00BE24B40E3D9E47A33D0A18D8BDEA7FE2BBB572EA3C0A3B5B3D452116BD8B78523DA6EC40BEE7EFB6BC075041BDE350DFBD5C1380BD69E7363CAB80003EC806AC3D4B824ABC972E61BE23381CBE6BBF7A3C557A14BE72777DBE8CC510BECF47F0BC92B640BDFB5B00BE8B8BBCBD9754643EF45431BE203FD33CF962263DB7A41ABE8F61E2BCAA1BC6BD03FDC93DCBABFD3B9350893CFA7767BB76E78CBC20FF66BEA13822BE770FB2BD462A84BD630096BD5D57DE3CFD7EB83DBB73DFBD3DE4FA3D167F023E6B15F6BC53A2533DC0D2BFBD8DD5653D803DECBDD35628BEEF22A13DDF63B13B0C44343D2F4EDF3DC704EA3D2B62953D70E8DE3D3FE0643D1A83D3BCD0A7D5BB3477893D234CF93C3AE9FF3DFAA18A3DA08BDABD1BC92DBD7A8361BE3F4D7C3D3F7AFBBDB60ACABDA880D43DDBA09B3D741BA9BD136C013E086E113DB50F56BD9FE6833D1DFF683C785A5D3E7F7506BD83463EBDCAB18BBDC3B1903DA2D0EABD0216CDBC1995393C5771EE3CC3EAECBC8C23173D6791293D64ACCABBB53241BD3F3F523B87EBA3BD90F3F4BDD4B0843D757E52BC10F6EE3D5A49BFBDD36A623C2B9AE5BD8DEB393E6D6821BE0B0ACC3D0BE9053D6B4416BD6A285E3DBBB19EBD7343EA3DBB5F04BE7D91EEBDCB5DE53C7E04AFBCED3B823C6F500CBDCB6F873D234F46BE8A4DD3BB41CD113E1023443CE9FDBE3D3A6405BE4235F43D4184A2BDF031DF3D6B062C3D23EC2BBEF4AA08BD12A4323D15BE893D87B3E13D1B3505BDCA21703D7D6535BDD27B20BE5BDFA5BDB13027BD352F2EBDB0543DBCCDB0703D1097E93D83692EBE8E76463D6F67013CE359113E179C4D3EBB7B56BEB0CC81BDABE511BE3377C8BD70DB373EB33A083E0FACED3C04DF053ED2CFE6BD2DC8FA3DDF81AF3D8BF411BE00A12DBDFF2B3BBED58DE0BD4879AEBB4E551DBE77A4EABC2A6589BC36170FBE7F8F23BDCB2227BDF547773DD6B30BBEEB6A403D5CC946BDF01133BE0F4D883CEB67693D3332123DC6F1BBBDA41E13BC7D7C8F3C18FA863BFF8AC63D352B153DCE60B2BCA4581A3EE56ADE3DB71FF3B902A21FBDDDF58FBDF7371C3D6D95E5BCAAD55D3DAF292B3D3071C9BD9BDBB43B57A8663D9035F8BD6B43E03D6CA6C6BCE92A303A970C433EE8EF62BD73C4F0BDD7F2C33D9BC2353DAE6507BEFA50DF3D9F05BA3D2E391F3C7B7B383DAAF2693D3FC0F6BDC4B18ABD616524BDE701F93D6839ACBC8222C93D33C2D8BD0FE4B13DFFBD2E3EC0D8DF3C959F08BDAD63583BDC2E1FBD0A5468BAFBD8233D4DF3B83D8037403EC70FED3C4474093DEBE1D5BC40B565BC8B8B8C3D5BFB19BD680CC43D451F0A3E9B39DD3D52624D3E3A99573D79D406BED09D963D511C4CBE1719793D2575E8BBA6FD18BDEC22313E4AEEBCBD21B712BE6DFE01BE288F80BD901AE53D891780BD0F2948BDAF8C2E3E2F0F1FBDEFFE023E9B2FF93AD752543E18AAC8BC016035BD43372A3EA52C1A3EC7994E3E11ECBD3C5AD23CBEA57673BD8BFEA4BD13BD593E746EAE3DE5E43F3C377261BDD2947B3C47FCC23CCB909B3D3E751EBEC7C3F63CDF921FBE508D093BB00B13BE878B523D4D0CD3BDDF6613BDC4411CBE784711BD2394F3BD13FD8C3C1563873D2B93DA3D8F854ABADB3892BD9E21AF3D60556CBED8A7F03CDB5C9F3D675F60BE11E8B53B8857743BD3051F3CF3BD25BE12DD513CBBB7EABDA283B23DFC14A43DE3335B3ED6DA44BDE0DA61BD3A86F33D6E34043EAB77BC3CB39FAE3D3F26063E8D0572BDBB4ACD3E1352C63CA3B065BD155E8C3CCD87E93C7272C2BD53B3A5BD7BCCB73B9B6EE3BDFBE2913C71FA453CC1AC95BB0BD3383CAB7ABD3DB856AD3D63A710BEDD6A483E9353AABC8185933C1713D43D830F723B035EA33BE11FC53D5F6B033DCA55123DE118A23D3AB9A03D2BBF29BECBB496BD7C3CBC3DC31B8F3D3223B23CE500593D3B5070BA92F9A5BDF4078D3C36272C3E9B4428BECDF70FBD0A6B0A3E2CCB933DF0458CBDF24E9B3C987B323D0E55BCBD8796CBBDD022FBBA0836F43D0CC4BC3D3258E13C7FB3A93C5318A73DB1E811BB376F1CBD28462BBDC8486FBD4529B5BD2F8B9ABCA3C3E23D07A4CB3DA0A7E23DDF7899BCC5524FBD269AB83DF04942BC34D1A73D83C1EBBC1F899A3D9D9CEC3D00AAC5BC8202A3BD4B9A3EBD4B200A3DF06A553E05DF9B3DB7534DBD586A4FBE8103BFBD47286BBCDD9DC93CB98F013D70B0DD3D76962F3CFA55E93C411D9BBD403F6C3DFC6B9B3D1C6744BD73CC143CF5E191BC5E428A3D02F274BEA541FDBD47482FBCFE22CC3DB25A25BC7B654C3E90688DBDECB6123E5781293DAF1FACBD70C4D4BD111EA43D6ABB443C03B404BC879226BD5AD4E83B874AE6BCBBA41D3C83B6D43C6BCEEBBA056EF3BDB1CC43BE28402BBE675E5AB9DFCE103E9B692EBEDE9118BB4F3853BEF89ADC3AC589D63D12646ABEBBFD313EDF50F8BDA23D5E3D8CA5A93BA710B93DBFB3B7BD9BB6B5BC46C6AB3DEE2B053EBCF01EBDBD9087BDC89BBBBDDB7C37BD5E30B23D4B0ECE3C84362C3D7EC5A4BC58CE5EBD7269EA3DEA6FDD3D0D68D13DE3803F3DAF96053E6282DBBD4D0CDE3D3AA6A8BCB059D03B9F349FBD9F87AB3C1B7D24BE3F806C3C2E1F80BCFFB4A83CC8E92EBE97E5FF3D1736273EDFF8A9BD10AEF13DEF78703C7DB0FCBD5702E5BD1CE91C3DDC17C53D94AEA73DF4AAA83D89130EBE2BB1AEBD1F60F5BD53440A3E9F0492BC43F62DBE330748BDB6A512BC1752713D98E5363D2F4B00BDC719EA3D19B393BC4A02C9BDBF9A3EBDF36F73BE1C503EBDFFDBF33C041031BA3809233E5185A93D522668BD645F13BDF29A6BBCD3DD5C3EAD864EBB2D9CD43C7016C53DCDF4CC3D0A18533EF25F113D6146803D151390BDDBED8E3D6FC1D4BCA881153DA88E773A9325C3BDF81AF33B9501173DF38A173D935F3F3D27E804BE"> : tensor<768xf32> to memref<768xf32>
    %18 = loop.constant dense<"0x1DA972BD4F550D3EF37BD4BD2F8816BE59F247BE6345E03C5237CFBD70DF603D4FA2F03DE6A80A3ED49FADBCA3CD3A3A9F03CCBDB3D60CBD3A08653DE2D2823DAFCEA63DE49A36BDA6F9993D4D27EDBD39F31D3EB8E6143E9B54C13CEACDE83C434023BE5D3EA6BD70C8553E23D66BBA78EA4C3DF36490BDAF0602BD4BE9583D2867C43C3DD594BDEA4F623D4A1F963D172D763DDA30593D80214E3E484F633D951BE3BD0336913D78B7F9BD4B8918BDF4E28A3C477B193EC4A7AA3DC761AC3D072C653EC305D3BCDD178A3BF7AC103BE2AC703DF2488CBDF765113D73AD1DBD9D231CBD06B8153E8D824BBD4735AABD3DBE5A3DACCC903D8AC2B13C6C262FBEF90E303E53F5BD3C1A602BBD436FB3BDEE08C43DCE5C323C83B79FBDBBDB2D3E5234D8BDA0535C3D4E390FBD678B0CBE56668FBDDB51E6BD98AAAF3DC7EE723D9BD1CF3DB53BEB3D26F6C93C8DB0263E2F3F423D1F25D83C1843A93C8325C9BD7B6250BDEB92EDBC73D9EDBDDFD3BEBDE880443D9FF1AF3D5672273D29BE993D00CF4BBD3830E4BD07931B3CD99F07BEE7C8AA3C0D77FB3D1D11783C6F450CBD457705BCFF9E023E6300DCBCDDB891BD9F2E59BDFA42003E2EF4A13DF34989BD053736BD92838A3DABE6733DD85AC4BD83FD0EBE9FB852BC4A93DE3A5A003EBE59B611BEEB44EE3D18A2233D2524F93DDF96EFBDD07B9F3D4168A33CB4CE2BBE6802DC3C2F1401BE05DA863DEB6390BDC57944BD7E2D073D9BB0283D8B111F3E7F9A0F3D3F6229BEFF175CBE5CFF1ABD272516BC2452A73C8D420C3EB1DD0ABE329FDF3C6A5DFDBDAF2EE1BDFBD20F3D855A6C3D5D3CE73CC705C0BDE3B9B8BC5D09B93DEFF31BBB73AB9EBC7813A13D8EA226BE4710B9BCAD3B603E1AFF643ED788873DC7BF07BB1E44043EDD4AA13D77008EBDE2E273BD27E184BD429ED8BD7B3AD1BD88C5553D3DEC723DBFAD58BD5BE74F3D67A6173D96568BBDC1BF29BD8002453E7F64B8BD6BDF2DBD8B5B3D3EF2E032BD1ED195BD171BC0BDBFCB5A3D41C11BBC93F5B2BBD2FC2C3E9C7496BCB4AC33BD3707313D5BD4C0BD5B60513E99471C3E83D591BD3288EABD9E1F9E3D0525333DE5DB4FBC5652023EAA4EA1BD0B7C54BDD83DEC3D13A78A3C7FFD103EF1CC333EB2D3473ED684263D42B46FBD040BBC3D5E4C3F3D0B0F103D81B5953D56F51D3C0748CDBD0B9C173CE7BFAFBCB25A03BE2F7B3E3C4F5B923D4818163E2E7EA9BD8E89133E4B1A243EE267D7BD9A4869BD80705D3DDF511CBE1005913C863789BECDF6823C9FFA893EF0BD553DACA1213D49E7113EC3A671BD30C8303E7303F43DE4A385BE8CB394BDE26B19BEDD5611BE1FFE7DBDA7FA0E3EC3A3E0BCAF2D6FBBA8BC6C3D1F5F5E3D2B63D73DD0C2BA3D7722C6BCDB6A963DEA3FD73DD3F0ED3CE8DBF1BC60BE5E3DE85BC8BD21F417BDD39B2E3DEF8094BD78168F3D858EBABD4808E13D82A6803DAF1D01BD50E2513EE907AFBD5FDFBCBD6FF7363CA78B0E3EDF6D893DFD3B8F3C11C3203D78280A3E70E0A03D876657BE47E913BED0ED86BCD7B1123DC39D433E1045C9BCFA4A31BD67BE0EBD9DEF02BD270A92BD7CD82C3E2C1B11BE0F45A93DAE4BB33C9943163DB7A2F03DD546293EAB4D3A3CA937C33A8963CB3DC9C907BE5FC28ABD9712C0BDEF90A83DD217113E7B330EBDB53CC3BD92309F3C7A1164BD1B33E23D2499023DF6659BBDB7BF303E881B323E0FB7C1BCA15D32391C7214BECF7387BDD5A90EBEF98C1EBC1DB164BDE00452BDBB0E54BBC6321DBD1B67E1BC3BF8D53DAB7B0B3E3562613DFBB030BEFA42D13D06193E3E3F27193D3F956FBE6551F93D046C093E09AABEBD571606BE101EC8BDB8A074BDF243E43CDF9B4EBD9B5B823DE52CF2BC96282DBE68EE1D3E273CF33C1C3599BDA5A9F03DFC3D873D7D02863CBDFC373E7E1F983CEDA57ABD020CE6BD63A173BDF3B21BBEDB0724BE316A383C75B175BD9BEFE73DA3F8353D806DC9BDAE6340BDD713B2BDDD084B3E259C42BE3F3CA93DCDB1993C8D2E9CBCE421A6BE0D976C3D29929DBDF3D2C53D1A6BEF3DE761D7BC5B79453E3C164C3E33DC2BBCEA9820BD9E9DBF3D9F4F2FBEAC4FBCBD1AC7D83CF80800BE8953B33B9FB65ABD1D0F88BD5FCF083E0298E33C724D2DBDBF2A653EDB7102BE056A9D3D2D715E3D1A534EBD8D10A83B2C530C3DB7DC3B3D06102D3E8AC4A63DBD85E33D28A6F93B70AA153DDFFE043EA6D0A13D377BDA3D6BA4F93B7C24B3BDAC729ABCB7F2483CDF927EBDCF192A3CFAC15A3D63FD2DBE87D783BE76EE0A3C838120BC27E836BD95DB1EBD52E66F3D7A507F3D9F1DB6BD4265023DAD12533DE8EDF73C9379153D532F1EBE588AD0BDF611083ED71B043D9F574BBB55FA80BDABC020BD523AED3CD58B6F3D37A4F83839BA4CBD70C3D33DF347E93D9CDC023DBF2E9DBA9BE71A3CFC51823993B17DBDFACA98BD5305BFBC84DE25BD7D34383D8F160BBE3FE461BD113B46BD8352943D228D223E9243913CF836A43DE3CF343B87876E3C4FE1233C8E64CCBB25E3783DDFC0B43CB8A6753D3D76F83B470AC5BD5B0330BCDBE01F3E8C6795BD039588BDC4A5193ED7A6C03A03158C3CB672B7BDD73A2B3CB0733FBECD205CBC1F22EC3D4FF5E9BD7390DA3D7382BC3D5032FA3D344E113DBC6F2BBE7AADDDBD72A7E1BCB6AC0BBCB771ACBD53F12BBEC354213EBDC0683E82B193BD45B8543D84EE9E3DE0F3AFBD2506DD3DFF76A43DBB70BE3AABF7033D1DAAD33D33CE5F3D15F03FBBB283103E5ADD01BD53D6B4BCC3019F3D18C12F3DCA98603DB01FF9BCF272E5BBF448093ED77D77BDBBF84CBDF2DBBA3CF3367A3EEE8ECBBBE5657A3D64F80B3E7AECCF3A82BB8B3CF89399BD91BF1E3DF032CD3DD40534BE73E94DBCB16D92BC6763923980E48ABDE4C142BD50DF6FBDA502343E3F041BBD6452ACBD13689ABD0B219FBE049B803DE2CB123D7EFDCBBD5F033F3C4FE9C9BC1F44A53DB714553D7B2C42BCFE82C23D2A1B4BBEE0AA35BD1F15B53D1D3EA33D4AD978BE1D0C733CAB6E1ABEF93333BD86CB423E6E4A163E236B6ABD7ED54A3D66ED00BDE0EA6F3D96D70BBEE5C9173C38C82D3DB61606BE481AE5BD90BE603EDD1FDEBD5FC938BEDA4EEA3D37FB133CBA63163EFBD43D3E1C2B48BD0D468DBB7046D23DC8A9A5BD1B55563D4F2C863D1BFEF3BCBC4838BC9EFF10BEAFFAC2BB7096E3BD9A185A3E7A7786BDD1C60A3D2368AFBBFBD8423D1FF5E9BD7DDF3DBC2B8FE7BC3865703E37DDDBBD5CC9A63DFBFAFABC7C31913D3F3FB0BDEB0931BE0D26A3BDCDC3C2BD1595623E40D6313EB614993D5A308E3CFF6E9E3D6A5E4F3DD1EA0E3D1ADBBB3DA860F73C641B003D273AA23DC5EB50BDC359C7BCA0EF9D3C37D843BDA61224BD2F68253E6475BD3BE35AEBBD30C4303DE3C8A83C675850BC57589CBD37EC0ABC8F04BE3D2BEA29BEB803DFBD73F3383D83B30E3D4DBBB1BDB00F9D3DAF34D33D7A287D3EC07F60BE4D76D1BD8BCA2E3B03DDDFBCD3F8683D8660C93D5839C03CA0D2133E64CB06BC83DB083EB4A8003ECB4D73BDF733A93D0F0DDDBD8730C2BC34C223BD6D8777BDB7A5A53DE32EC73CF3CC05BC0FADD93AEE871D3E0F102EBA09A6283E6CF68E3DC48540BD62E1523DEDC2DDBC154E723D734BD73D2D29E93D61C7ACBD06E908BE6A7B543B4B8F2E3DAD20383D0B35AE3D1D5D403DE752813D83C1B3BD0002533E02311FBEF7422FBE32536FBCB354CC3DF1D1203E35FCEABB8514D4BCD8885DBAF1CB373EDBD3FA3C47B22BBE00499B3D43353D3EAD20C6BDE98A353D6908C8BC3725E93C1B3E093D83C3843C4BCF03BC8D3254BD3A4CEF3D5E113ABD8FA5653B59ABC43D412FA6BDDD158FBD1C9620BD7B490E3EA89C9C3CA6C1C43D9231C43D65B3293C356E313D8FC1943D48425E3CCD4AACBD6D8E68BCE5AA32BDA2E153BD1B3CECBD72B443BD43B57D3D84C4C23C3B1C02BE426053BD938CFBBDAC02C6BDB303B33DF517AF3D1DDDCABC4BA80CBD0250B23C2F39023E395FA03DBFC7893D31E29FBDCF17A33DAF61123D4F89AA3D43C1B3BDB21C543D337F8EBDE23B373D3062D6BB582C283E81791CBEE86888BDC096163E424AD93DA309293DAF0121BE2AA3A73D81B1943C6C2BB73DA70CF13C83099ABC0C5C493C480B7C3CF7C1E5BD284DF1BCA716173EE15888BB7075523D81C015BE858422BD9E47CC3C9FE174BD5E02193CE155BEBAE0194FBE1A4D813E7A744DBDB2A082BE9104A4BD291547BDE0F1F4BB85AC0F3D63C57A3A18AAB1BD25ACDD3CFB8BD0BD37DDA8BD2EA7BFBD"> : tensor<768xf32> to memref<768xf32>
    %19 = loop.constant dense<"0xF1AECA3C420D8D3D37CD523D7447263B752DD03DC5C4933D0FC936BE77EC34BD6DE339BD2003AB3D1BD15F3DB098F4BC3185AEBDD7432A3CDB74103ECE46173EFFAD1B3E1761AE3C6B3D1ABE4F8612BE7B75A4BCF8D26EBD0BA3C5BDA5004FBC6B8567BE0D94D23DFBDF57BDA141313DE3D14C3D2A93D83B600454BDFFDAB2BDFF4543BE9E58AA3DF393BC3D424456BC2B9094BD0E9A29BDEC549BBDF3618DBCABB54F3EDB676CBBF0026ABCC5A3E8BCD84CD7BDE4B6AD3D3AD0B53D9D150ABD4F77B1BCA383993C465E083E1F3C11BEC759043EC799943CF9818C3D12A8B3BDDF40B53D8A10CEBC90A8553E8532B2BDC571FA3D1313073E963947BD7A21413DF6EB383E055E20BE04EE3EBD6E67CABC75EBB3BCE65F01BE891A0EBE49BC16BEDFBE173ED70DB6BD5058713CCA292ABDE8D5C83D67F308BEF3C3FC3C489B80BD42F0EF3DBCF709BD8A57D8BD952196BD5D74EABBCB802ABEEF38B6BD2B39ADBD54B6AC3DE7DF9CBDEF6DABBDC6C93ABD9A3B4F3C335E8ABDBE2E08BDDA469DBDB47E41BD1B70003E2FB590BC2356913D20E9893E789B983D0FAA22BDBC101C3D5B6AA9BC47AFFA3D95EB633DB412343D3B3A4FBD4872F63CDABD7EBD4C77CABD8BF778BC137C233EA28FCDBD284D523D9FA278BD691A93BCB97D143D3A992D3E17CFFFBD57E1E23C6291AFBD85C479BD11751F3E37FC033E1784193D1A61713E097DA03DB36CD3BDF73D65BC9DF8633D8E8F0BBE1BF6FF3C6282003D48514D3D6F1FA6BD9C80B53DB61B023E5FA063BD04C643BE2ABAA5BD10D1763D39A10CBEBF525E3D37C08E3C9F6C93BD4E0EAB3BAD5CD0BD1CAD9D3DDC76BFBDF5353E3D9F1D91BEF75124BECA393A3EC611B1BCE44F25BD6EE60FBD6D891B3DFF8F7F3EE850D33DAB1C67BDE09C783D17F5473DC02B2A3EEEE9173B6F58473DBF0EC9BD234F183E5C5C9EBD0F229B3CC03FC53D7BBE81BDFBB2E63D77F8463D508C013B47C7D73C88B4D8BDD04DE13D03EDADBD8947BABD6B60D23D11D58F3DE087FC3D3095673D3F56D1BD2F31F1BDE172BFBD5B3B0D3EEBB8403EF87967BD38E914BC953443BD40D3783CEFE2E4BD7C99143DCC6A163EF3AB0DBE5E1496BD1EEB963D9DFEE03BE7F4BCBDD8CE193E736393BDC8FE063E0045433EE80AA2BB009861BDBBE301BE930F08BE77AE533D28C656BEB1F027BED444C8BD56DC833CCFCAD83DAF89973DED1929BEE5CB01BEB66526BE2C4C20BD1FF9B9BC179CC03CCA4B77BB178B9B3DDD3CF9BC921BE5BD8D65BA3DD0D0B6BD2045C03CC7903DBDCF1ACB3D4873DB3C2B3F0A3E5F8F0D3DC2AE583C932A143E8C9917BC896B99BDB838D9BD2399503E422607BE4B089F3C4A3CB8BEE9B4023E9F6460BEAB0407BDF0A375BDA3A673BDDBA98E3EB752193D5CD9B3BD281306BD9BFB263BC456B63D4F9FA33C4788603E809D9E3D0B4A453E8398B0BC8ADAFD3CC27D07BE32FA49BC5FB737BEA19984BB98176A3DFF4168BEB7EF1B3D99DA253D33655E3E0580823DD3160D3D048A0EBE41882ABE2C5BBFBD17196DBDCF57003E5007CC3CDD20E83C03B7803E1DE5EDBDDDEA09BDAF74713D0D51A3BD25AB83BD9231583D5213FBBDB309BBBD78FDD53C1D38A1BC3A81D4BC68C78D3C33D465BE3F63163D66C585BECA3CE5BB9B0AFE3D6DD0033E36548ABDEE49833C55A7933C0B592D3DC2EA4D3D826D8C3DBBEEA53D6C8B9DBDF2599D3CBC22C6BD79BC9CBBFBEF4EBE13BC873C5B5E413ED9D5263E2F297C3D3BF527BE9EF530BEF305EF3DA8B0B7BD901A79BD37B0673D9F6188BE901F96BD96603FBDAED6293E60C3E4BC9FEE48BEE011B7BDF461A43D93E92F3EF7C8563D1840C83D7DB96FBDA0F3CE3C2A6ED63D372A1BBD995F07BE8DAC7EBDE5FD6D3D0ACF543D6FE1393DB50DD4BCA969173EAD02EF3C86E120BD584D5BBE3D46BDBDDD4EB63D804DBFBD1DD33D3C1FE02EBCE83469BD5737CBBC7B9104BAD459C73DBF0D803D4EC6B33A00DE5BBDA832B6BD87B524BD233B6ABCAD7A0ABDE85454BEA533B23DB52D2EBE3B681ABE95A9E13DB2F3593D0B9EBF3D95F88EBE4BBE813E214482BA2DC92DBDE3CE913E4BA378BDB5E64A3ED8EA533DDB2799BD85C5EA3D877DC0BC8E7D00BE55DE4DBE3FA32D3B93B0863DB95625BD5BA9D33D76E9283E3D3787BD1DDC8BBDFDC2DF3D90E7B3BDDFBF43BE3B703CBE58AE26BDB798D23D02FDB7BD1B1223BDB8EE86BDFC9715BDADCF6C3D13FD4F3DCE3647BE323CBEBD7B25DA3D772045BD3A09DD3D6C4A2F3E4E5B2A3E7A3FDF3CB41C10BEC75101BE220F133DE0DDF7BDCD959E3C004EAA3D1C3C88BD8E0FAFBDFD7B233EB13843BD7ABD9CBDF6D52E3DC777123DA091733DAB0F1B3CC1B34CBCC2771FBEC0BC7B3C8E96803D4B705E3DBC7AAFBC4EAB8FBCFF1E863C4AFF323D4B8AF0BD07D0FC3DB7CA8EBCF1CC43BEC21FA4BD4FA02B3DAA21263C24AC2FBD7DB84FBEFFF943BE9283B0BD1F537E3D8FC5B1BDC88F98BC5D00303D375290BD0727F8BC2389AABBCB4CE4BD47D45CBDA55D2EBE58A0A93DFF9005BD01E2BE3D1D99C83D435CBF3DB2F007BE1719A43DF06D4BBC28110B3E56C61CBE5CD605BD585189BCFCF32B3D6562BF3D5BF6443E7029EB3DDB5E33BE0D1E4A3D8393043D8A22553DA285E33D1BD2113DB7B5D9BD0ECEBBBCAEA827BDB06D363C920B11BB2395B3BD2E2B83BDC39F003E1BA3EFBDE053EE3CA32FFE3CEAE6D43DD5B2EEBCBB73DF3CC49A1C3EA3154ABDA87186BD18836ABCC5E5153E2CED803D650603BE28C5E73C4DD482BCEF8F47BC373E77BC17A8913D41FC86BDD2CC23BE0DAD7C3D336CDF3D42F4213D6397DD3C4D4C91BD8897893D969B1DBCCA1557BCC7760F3DDC90183DAF9F1DBE19FB203D8FBC3F3D27222B3E8EEB02BE683CE4BCCAB48A3DE8B4283ED01F153D8FB155BD653F7FBCCF5434BED98F803E1F71CFBD100A293C6B4E35BE0B20FD3DDDEF473D8C85013DBADD4B3D844E8ABD57723BBE10B031BEBA8287BDD1BCC03CC356E23D3B491DBE2C8B1BBE05106E3D7F18653E7AB764BD9ABD82BB599DAE3D9D87663DE1810FBCBA2397BC8F46033CADEA5CBD1C85173E702E343D25B895BD9F8162BC1305CFBD72CDA0BDDF2F23BEFA8E03BD2BD9DEBD9917093EED4F093E58FCF0BDADFA8EBD6E1A3EBEEBE4363D2955B8BDE53FAF3D6B34C0BA8D73D53D93410D3DBE650F3D713129B85B66A03CA179453E5FE8E03DF05A5CBDB3CAC1BDCC6410BE930AAC3DBAFF613D8BD7C3BDADB3143E88F195BCB38523BD6D7F933C42AB0D3EA7B4FABA1025C33D7D7388BD6653193E004F14BCADE2ED3D07B20B3D9F4B4BBCA035CF3D32A47ABDC5C587BDD0940ABC5F3795BCED8DB0BD4B0C003DD02B97BC872CAEBD4A5B133D97069C3B0CA8983DFA7DCEBCA3353C3EE6870BBD85924C3D05D2CEBCCD7B56BD9AA099BDA9E135BCD09D7C3DDE3F14BD140C383DD26C66BE186E5BBEB7C1F23DFB8AD5BD7B3B203DEDD2F7BDA7B8F1BCDD04BBBAD0383FBC05032DBDC710D3BD2F49783DB02222BE12AD96BB4523773D728666BC6CD31CBC879A253EAD7E6F3C7A23C73C7DCD51BDB8FFFB3B7DDB0BBE1F712F3D7D1AA7BC0405B0BAAB994C3C22D0103D82497F3D387167BE99B090BD5317EEBD0BA4CD3A774DF93D471A7F3EEE6386BC2A2F5CBC20BF173DCB3339BD5A6448BBB0AFF33B9760E73D4308FF3DFB6DE33DE75580BC926EEDBCF546523D746C9FBD53F4113E1326EC3D227F053D67DE8FBDB99B1C3E030F0C3D4BB9513DA50C7F3D4D5FB9BC6D14EBBBA528BC3D42F8C83D1BC898BD7335213E031C163E5ABC69BA2705C1BDBF27FDBD738AF73C9798A73C77D620BD083000BDBE58993D2FADEC3DFB88A93D636E0FBD250437BE182B3ABE2694A0BCDBA8723D1E4B113E43EB01BEEF94D0BC8BCC783DF2C6DFBCC62626BEAB5CCB3DF55DFABD07BE403E549294BD126AB7BCD0F717BED45B17BC6BE84CBDAD1673BED07340BE445D13BD05E9683E246F14BDA09744BE433FE93DFF6C853D4A1A52BD8AF249BECF370ABE1F6BA93DB7DD6F3E779B173CA8D6E03A084F5C3E77478A3D61F2AC3DE20F9DBD08F1813D4262CA3D6FDE2BBDA58D82BE30FF03BE256694BD43A9533DB2C27A3DB03104BC6406C8B7D674823D09134B3C6D275DBDCA289D3E0379023E9DC793BD9302DA3DB8D56A3C5F36B1BDFD5613BED3AD0FBE45CBB13D4C5695BDFE6E24BC37CDCB3DEF918EBD5BCA0A3E6DD50DBE5285003ECAAAD73C050E63BD0308133E7674053E62123CBD1AE3A83C78E9EBBDFD9D3CBDB218673DDBFD05BE"> : tensor<768xf32> to memref<768xf32>
    %20 = loop.constant dense<"0xA3CA823F8CBC563F1591703FB46C833FC224603F57238F3FE46F6F3F114A923F492F713FE3C2633F7805863F52A36F3F27A8683F233B7F3F3AD5853FA210553F2F4D893F11B6783FEFD1883F20DC8E3F2AC2863F4D1A683FAD829A3F9A59833F43968E3F3B916E3FF981873F573A763FF091603F22FC8C3F8F67723F9787773F176B7F3F2B807B3F8A117D3F5B2A863F44E66A3F6301823FF954783FB6198C3F3ED18C3F909B873FCA70803FC0DB3E3F4EFF733F0E79853F6B627D3F04FC863F11598C3F015E5C3F94564F3FA87B6D3FF29E623F112F953FE835823FDC15873F79F67A3F2D0A523FC7A27F3F2A4A733F0764773F17C6553F1A68643FEBC2783FB962873F0ECA833F0FF28C3F8E55623FD4C5563F8B7E833F6422763FB605873F321A8D3F7291623F2EAB4F3F06D1873F47A97F3F8080813F80CC703FEE3E883FF3E7953F42F7833F58767F3F5410833F51FC823F00A65C3F6DB6853F65C15D3FCB7B613F2474603FB1E3813F0459803F8D6D7D3F2660523F82C6843F116A803F0CD67B3FBE84713F7E566B3FA17A923FF121743F9137783F9801683FE4D3663F5561693F143D813F67C0893F42398D3F01CD803F9DA2783F9D0A973F9EE4833F8EE5833FD787613FFBE8793FCD885E3F48198D3F8F7E793F24A86B3FE6E6473F7C96803F0FBA7B3F2C17813FCDE67A3FE3CC5F3FF842763F1983793F17B3773F50138A3FB52D6A3F3081583F54AF6D3FBABC5C3F6D1D8B3F0717743FAEE66F3F4D167F3FEB00573F8F8D853FC129853FD293783F7B35923F15E0893F3FAE8B3FE9DE613FF6AF623FBA268F3F6659823F7393833F565D7D3F76B97C3FA744773F337E823F7F1B793FB8B83F3F1ADE883FF02E893FAB247B3F1434943F87658B3F7BB6763FC398723F3BC54F3FABB8823FA9845D3FE82B723FF5E4803FD80B803F5D7E8C3FCF08643F3B12823F657C793F7FC8833F47587D3F4220723F2AF3943F18785A3F1A87843F3A916A3F3E97853FF7F8893F9CFC5A3F5CB9833F1C89823F5CD2763F32A67C3F80658B3F5BD06A3FF2EE7A3F8CEF6D3F028D783F3BC08B3F17E48E3F1363803F770B6D3F3A9C8C3F2D248E3FAB456A3FD5AF803FE2657F3FAE41803F387F683F5E43813FD0D5823FE801833F1808383F421A753FAC28823FF478833F4A1E803F096B993F8072953F130C733F890D5F3F20EB633F23B2833F50B38E3FCF27833F4270883F54FF823FE3E09B3FB440733FDB31643F46F0753FDCB78B3FB81C643F5CA1623F85BF743F9CCB713F3D778F3F840E8E3FE0EF813FBAD4943F70F8893F1D0D863F30A1653FB0CB843FF2C9853F9B9A823F7673843F87A3463FD3B7933F5EAF8D3FF4A3843F2EEE943F72D9863FB5B3883F427D6E3F12B8683F5A9A943F83E7993F379F873FA12E863FC63F813FB2015E3F07837E3FCDCD993FC04A7A3FA842883F7479563FF89A6B3F432B843F99A78C3FD9EB8F3F0297603FC0C9913F055E5D3FAB4E663F6DAE993FA4AD383F7B08973F608C843F9C2F6B3F0FDB7F3FCB77813FB308913FB264793FDF5C603F2DD0783F0C5E6F3F21718E3FAA27863F695B8C3FC2C0863FF02F913FE854833FE2E2653F35A1763F8267813FE12A6E3F5189863FC4CA5E3F7FB15C3F384B7A3F1518733FAE54763FB96B933FFA86853FE368833FF86A6E3F53A7743FCE65633F4BB9773F385D8A3F6F6F723F50845E3F97EE793F8F888C3F2B7F733FE1D9783FAA72853F8DCA713FF0B15D3F2346923F0325733F5DF0623F2F077E3F7E4A653F50E19D3FCAB6953F856B853FD624743F40337A3F946B973FCBFE813F4BFD843F57F45B3F1984543FF3854A3FFC47513F161A753FF3A2433F4EDA853F1E71853FCF9E7A3F71918C3FABD1723FE7FF973F9A27853F3624813F3A5F853FECD78B3F040C483F1DCE7C3F4D4D7A3F59337A3F92C1553F4A1C823FEEA45A3FE584883F82BF923F9922803F9C7C8D3FBD8D723F010A783F3FF27A3F18C0873FD30B783F3643873F8D4E633FE3EC943F8FB07B3F3ECD7A3FE281853FE36F7D3FAEC8863F8250643FECD9793F345D8D3F3E28893F6CDA8D3FE20E8A3F5E368D3F12BA913F6567763F15FA723F5B3A8C3F0B887A3FD4346E3FA340633F69D0863FF28E843F1E4D673FE2978F3F7EBA933F1E8A883F29786A3FF3D68D3F81E0813F8BFC663F5B377F3F8E33583F0559893FC2298C3F65B28B3FBB5BA03FD530853FBE707F3F6E168E3F5000883FC810833F3DB08E3FABFE7A3FF43A723F0420863FAC9E683F2F618A3FE65A823F39D9633F3B3E823F0D6D673F25F3873F3CB17C3FBFBF863F0534923F1C77803FB82B953FE8E5853FFBD1733FA4D5803F596A8C3F156B873F6407883F8F7C793F1329953FEDAD6F3F847C803FD7C9533F4F26853F0A01513F33417E3F32C37E3FBAB49D3F4A7D8F3FD5EE7E3FA4CA7B3F9CEA833F9338863F4EE2883F55DD543F9E03733F5CF3833FD56A513F2766843FF23D813FE54F833F1A518B3F2F74913F8C10843F0A0C6B3F9A33803F82556B3F9DDE8A3F29BF673F68C6993F2DAE6F3F12E0873F5AD8543FDC27933F33A6833FF507883FF15B733F9493A13FB3DC863F5E2AA03F29B27B3F60AB683F28767E3F77D68B3F6BCD6B3F9467583FC528893FE3C76C3FF18B803FA197763F7A935D3FCC18913FF719763FE42D983F086B883F5B77633F71034C3F03FA423FCDD07E3F3CFC613F4634703F1FA27C3FFAFF8C3F5851693FE7358B3F2C1A683F7995793FDDDC813F9BF9803FB83A833FDF838D3F7BFC893FE079813FAE31803F7169943FECDB623F9030623F4B827A3F9D6C6F3FEBE2803F7B9E7E3F69B2843FB7A9833F409D623F9BBF7A3F1F8A7F3F0CBD913F82217F3F4A86933F1068643FCE0D903F8E569A3F0E14543F7DE9843F5452813F30B98B3FBEB27F3F73357C3FF91F7E3FB9467C3F2183763F9C46723FECAF7C3FE7F4723FC6DD873FD1808F3F3E7D823F20E58C3FF8687F3F60E7A53F3E80803FED77443FA997763FABBB943F66487F3FB557823F3610843FE5018A3F5883883FA15D973FEE21503FC77D933F4D1D933FA203663F361C7D3F7B09913F1CE1823F1443533F305E643F0592833FB82E703FB67E8E3F07B3883FFE7A503F0A96633F962C5F3F8E85853FE2038D3FE3377B3FC9C5803FDF6C733FD0888C3F5BBD7B3F48036C3FA51A823FD7C5873F53EF903F50E07E3FF8A1653FB975853F5CDA833F7473793F36B1953F74C7613FD3627F3F574D773F5B0C943FB02F653F13EC873FC30C823FE2A4613FE91C5D3F97587D3FF6228F3FE2F0893F60A67D3F8D2B7E3FAA1D603FD19D733FF9645E3F9CEA7A3F45E3833F3D5F633FA05D6F3F2F1E7D3F2090853FF23D5C3F467A883F9E3B883FD4DE7C3F1662963F5DED843F82C97D3F8BC2713FDAE36C3F7050853FF290883FA096763F6607763F4EB7303F0C6D653F9C87803FEE6E883F1A76643F8650673F249D6E3FB722743F62124F3F22A6973F3D428B3FF2FD443F669A873FE0C7753F8E95873F2CB9893FF85C6C3F087A7F3FB6B17B3FB107843FAE9D803FEFA57A3F99D0743F36E47F3FF04B883F67B68A3F06DC793F750C5D3FFCFD863F8F007C3FC2A2853F4EB9683F3BC17E3F74B7623F3E47803F45D8573FEE73733F870D723F40D3843F3CA3753F93F37E3FA453703F4C33333F6516843F54C4933F2D2F893FF4B0843FD2F68C3FDC3F8C3F3E437B3F9DEA703F341E663FAD6A743F49CB973FA92C943F36536F3F94048C3F53708E3F54FE7D3F0922793FE3A4703FB8128E3FD00F5F3FAEE9833FA833693F0952883F19CC4A3F96DC7A3FCD707A3FBD1B8C3FE61F6A3F286D563F58A55F3F4FD48A3F5E2B603F02A5553FDCCC893F9941843FE51D8D3F0ABD723F5B53883FBB3F493FF1B06B3F2028833F71166D3FC6C5863FF4155C3F3B5A813FE9F2713F2664843FA72D793F9D826B3FA0C2933F373D8F3FF4BA7C3FBA05873FBB20803F3C89853F069D7E3F3083833F543D883F5351933FBA15903F64B2653F83FD683FB1697C3F38F15E3FF9C67D3F6AE3803FF416803FCE128F3FADB6773F48436F3F0EAE5F3FE321953F7DB47C3F77CE813F9895853F57E77E3F5C78833F7BF8883F3050853F98985E3F8794503F0287903F0B57723F8D8E873F4BE4733FFDE3693FE3044F3FC3D6933FEDCD7A3F3083753F867B703FF3235F3F9378803FAC38643F05DE873F7D23873F0B107D3FD572843F4FB8533F9D68803FEA7E743F1020683FD402533FC09D5B3F79567E3F099D7F3F1D988A3FA3694D3FBD31843F0812983F97088F3F"> : tensor<768xf32> to memref<768xf32>
    %21 = loop.constant dense<"0x875FB43C73A7853D5537163DB4F487BE5054D63D0C3D16BDB7690C3E8DEC9BBDFBEB473D5F671A3E637951BDE26AFA3BDDF7623D6047F13D9B7BB0BD0B11AB3B0556603D7FB9FD3D7BF800BEC3FCDD3D7029AD3D83F7633E27E58B3C87C63E3DA2F2813D3719413DDDACE63D6FEB213EFBCA43BE6782A73D13A3833DCB0CBD3C70E0513D932DB9BD51F60FBE66A529BEE8A1C5BD6350BD3C73907DBDC7E1F7BCEF48F5BDC092793CF420C1BD97A82EBD42BEFA3C137B07BD437E553D3E8898BC5001B6BD9D24163E4E99163BA99EC83D9BBAD5BBA3F5183CC8EBE03D6BF09DBD54B039BD36BD173D2845EABCB38399BD8B3B11BEE28D8C3D66D9833CD2E1C63D19A5193E089360BE63B2653D16619CBE929E7ABD021C96BE5706393C9AD020BD7DE6D63BD3E245BDE1C9C43CACEC8F3DC5F7803DE89FFC3DFBE15F3D2A72C9BD7DF333BB829992BCBA68E0BC28ECF5BDFBE613BC974034BDC964B33D1F0C4ABDF22BCCBD21AA49BD396881BBDD98BB3DE051283E5E741B3A11D09D3C1AA056BE1AC3ED3D4B89AABDBD99A33DBB42A8BC9773683D94F9323D4AE5B73CD4BAA93DF88C57BDE01852BCA24201BDFBAA83BCD723E53BF01D64BDDCD4C1BD9685A9BD0D4E95BDC8A3D03C9FA00ABCDE29A23DF3E22E3EE647A63C12BDDCBC24CEA4BD05BC143E63131F3DCAF3073EF2B98B3DA4A505BE50DBEF3DBFE1A53DED9E723E43BB0BBD8AEDC9BD4CA9BC3D9AE4CF3C935FD3BDA00F0C3EDF07E93D3874743DA96CB13C7AC8163E390CB73DD2F1EEBC0BFF633D4E1D10BDBD7922BDA8D8103E4A0E07BE686D4FBEB64619BEC036183D43983A3EEB834E3D40BB6F3ECA23D4BDB8B8DC3D4B26553D3622103D6144B9BCF279743E77C5BD3BDFE1CC3DBDDE673DA28D073E064A1EBE9A00753C78118F3C8E4AA83D91BC003CF6D0203DEA6979BD6D7CF7BBA71E893CDBEEC3BB9B6569BDCFD56E3DFFC63CBDBBDFAEBDEB56243EEF4CD2BA6EAC25BE2F24A3BC6645B9BCFE0582BE407D3FBD9591E5BD52C303BE7F709ABC15190CBDEDB8F4BC5BB2B03D6E080FBD0F49493E92ADD1BD51B814BE9348DD3DC3A72F3EB007BCBD52CB503EBA77D9BDD70392BC331B12BEA58BF6BDF0D3143E8A09793D0AA2A4BC3536DA3D98AD0DBE4B9E31BDFA370D3E730F213E5FDF28BD0AF6903CDF09103E6B732FBEF7105BBC8BD4C4BD9E4EAB3DC31CDEBD4D1A613D0FB9C43D15064CBEB7CEBFBD5FF693BA35B9CE3D12EE633DF894F03D2D3F4FBDE054EF3DEBB558BC272D9C3D5B4C9BBD333397BDB845343DF2412F3D2827BCBD696A8CBC63EC4CBE775C4CBEB9DE043DC4A2043D0B7913BEAF2A423D231FCE3D48F073BC021284397E8110BD07346EBD4D5FA23D20DEE5BDC08A42BDBE7A3FBDFCAD96BCCF844A3E17F900BCEEEE1BBDE676973EF1BB083D60081C3E93648FBD616C2DBC8A80693E70E9B63A506B033D503EBFBD3713B0BD384A4BBDCBBFBC3D477114BD22E29EBD7DCF3DBD6519A13A799DC23D5BC99CBDC3FEE7BD44331CBD26418F3D1D2C00BD9A5421BD0F5FD73C90C75A3D1F86AE3C278A873ED170483E41AFB23D942506BE3B3D3A3C177A14BDEF65E3BCD3FDBBBD64E338BD1AA86F3D4A3D06BE4C3E13BEC279A43C6399D4BBCA2D1C3E635659BB01DDB8BD17AA743D97021BBEFE9A0C3C530ED9BD298222BDCAAA61BE7D22723D3C4B8E3DE7653ABDCF7BF9BD5706A0387AB937BE8053F3BDE38DD5B8EEF9B93DECEB30BE1F3304BE2ADA02BDF00EC13B05986C3ED3C3A6BDF51414BD8C69A8BD5B6BF6BD03918ABD328B553E5055303E3FF69CBDD7D40ABE53E7A1BDBD2D4EBD571C1E3D2BEFED3BFE680BBED212183E674FE8BD5AE569BE1D5793BE579D873D132F2B3D7AE0683DB7888C3E0BBE8BBD83C6213D629D5D3DAB5A00BD2F61C73DE99F0A3E46B588BD7E27933D95C480BE336F90BDCE46303E1D99FDBDA40FCCBC5FE4CF3D531B8FBD37DDD63D3374CF3D72CC5ABB32B3F93DD0BAA63D0F22903DD0C0A63E6D2AF43DAFEB0A3D1B1105BE1BA512BE7D1B9FBDB85284BE2FB100BDB7341A3E002AC33ED2EF633E138153BDD56659BE582DF7BB9CED0D3E9D61FABC533EAF3C813710BDCA5B41BD629D12BD6AC6FFBD32948E3D9F20543C7966A9BDB5021BBE26609ABDD97AAABD8A6FF9BDC7D425BEA4449A3D6A23EE3C5B1F2C3DF684A83D6591653DE3EDA83D3BA9433DCBABCDBC54D32BBEE6BB2DBE3DF94B3E43CADA3D89AC46BE1D4AA53D32D260BE0F82883CA70ADDBCB348C03CC2DF0F3D73CDFFBB1DE6A4BCE2F5943D50B4783D30B5743D07640F3E501203BCECD181BD1F41A63C17E9873D00900FBDAB11D83DE254C7BD83E069BE379D83BC2B00403DEB85CFBCFDDADBBD5C8921BE85B33A3D3F8000BBA31D62BD94AAA0BD07E5713DDB6C26BE2AD6253EA79043BE72214F3ECFE390BADB69003E9464393E8FAA453C8A65EABD270D4F3D8B5268BDF5C5513E6DA5F7BD1FF5B63D560683BDED3B7EBCA8CBA5BD29CF9F3D4ADADC3CD7D86ABCEBB2B5BD384E7CBDFCA5ABBCAB541CBE8DE96CBDBA71B8BDBFCDDFBDFA1054BE4D13343D38EDD93DD3F625BDF6620CBEE0249EBD9B24C4BD75A4D63DA3A6ED3DF55ADABCF7C6DEBD18A167BDAFBC44BC85ED7ABD3BC643BC69C49D3BAFA847BE00D79ABDEA71C6BD0552DBBC9A25B53D58306EBD7A77803DA71A4B3D9A81973CFB09FBBDFFDB583D7A82CB3D1A53F4BC4A1CD63D21540C3EF84D7C3E0C44C8BDA2E0D6BA1BDDEE3D9DED1D3EDF42303E91921E3EDA5C0A3E6632A53D684B99BDD25DFBBC598A06BEB4A82BBC307C623D833738BE43A1BB3D30EF5DBC13F98FBD77E2FEBD51F2C93D461B473D9FCA4BBC0DBB8BBCDE44A7BD6703923D2A43EE3D47B7633E9633C63D35F6D93D6DFAFD3C4684A53CB7F1CB3CDBF972BD74BD18BD85F05EBDE78111BD26FE113DC47528BD9880EE3C23AB4ABCFF08443DEB3C103D2D6251BE0B2F8CBD6FCA653DDF3AB93D6F93D53D85CB1D3EEE3B2D3E3F8A903DCF4F24BCA6E3C63CD2D769BD4B3A5BBDF7B02BBD3FB65A3BEB45133D644F403DCF101DBE8D8480BD7D030EBD25986FBD21D9C4BC279A8BBDB7227F3D66C23B3DD0B3923DF79C52BD2AB0C1BD51D0933DD85AC1BC4A69C0BD4F3672BD4F7A073D2F5B243B05B6CFBD6CBAACBC09482CBCE9752CBE9B7C1CBDB4CF11BEECD18D3D6F690B3E7228FEBD2BDC60BD434F643E9200893D6032D23C527D523D1DF59A3DB3358F3C430DF13C647FC03CA736A13DD09EBE3D0D21A73D424E4F3D4B2FEDBC43321B3D2DD06F3D8242FC3D0B6A52BCDB51C6BCC469B0BDDBEE4DBD5AC3363CE7BC9EBC2F705D3C0B7B823DF03BDABD2155BD3D96B9AEBD8C25C2BD5E6E41BDFD13F0BDCF301EBE240E8B3D72B496BD7813E9BC8DE9513D6F4421BE608CE83D6FDC24BE14D5A4BC7393443C96F6263D31C6383E57E8F4BD5F3F40BEF5A7D3BD001BF1BDC32286BBB0156CBD942EA5BD03B7163D0F43FE3DD0BDEE3C00E3E53D47F8DF3D0F59D13CC047143D5006D53DE84E9B3D72F7D73D6A0D6FBD95CB8F3D5089A0BD130697BDE8950FBC841DBCBD3E99173E9B09013E5AB2EBBCCC0A86BD13CD9D3E5AF21DBD3F8D85BD4B5DCE3D7B29883A331131BD141ABABDC11A83BDFDF816BEDA25AFBCF86486BDEBB26EBAA2C2D5BDA89268BD4386F33CA87F6EBD2FC5683E3D53713BAC64423E53AB26BEE144033E0D1385BCCF18B6BC96D9023E5317F13DA225FDBD49C3ACBD8DC795BC7C331CBD5887AABD8DC0233E2AF5B7BDFB8D173DFDA1D93C5728D33C4C88B5BD12D570BDC56A0CBE7344D8BD22566E3D6F8108BE129B603D1209E0BDCA93AABDE42707BE3CA3AA3D8CED293D0587723CE9AE81BCF7D459BECD8B9DBD7BE1093E9D5BDFBDF1F7C6BDA518D0BD15ADE4BC91E6123D54413F3B3233C33D6BAA673DC23F933D02AADC3D0DAD55BDD1953EBDDD5DF23CEA5DBBBDE569533D213509BD8F92B1BD29BCABBDB64A833DA56A02BD70EFD4BDDFBBD33DA2FF443DFB89B83B3AA3B73C3AA73C3E2A75C9BD038EA93D05DFF43C3FAC29BEBD8ADA3DB7B0DABD83C98CBEB765BC3DF40386BB2F2DDA3DF91588BD72D7D5BDE7F033BEFA5FFE3DCFF5BC3D53A0EBBD88D7263E3049CCBCE00DB73C0BFD41BE4799BCBDBB31503C0AFA03BD4255DEBDF31F083D3B3315BDBE3A8D3DC54CE4BDEAFAAC3D510084BDE2477FBD12608DBD3231753E9A819D3DAD97333DA82CE83CB28DE1BD9F63DD3DA7E1593C27251FBE236BF3BD17FCC4BD2FD35EBC1B5D08BDFB90093D06FC9BBD4BEE78BE"> : tensor<768xf32> to memref<768xf32>
    %22 = loop.constant #opc.blob<tensor<3072xf32>, "", 0, 12288, "06b458064ef1b056e8faf4ef09988590d278081a0b91328f3b841c529428dc1f"> to memref<3072xf32>
    %23 = loop.constant dense<"0xDAF455BEB4FFB83D6D1B67BB47B7F1BC92D82CBE3539113E959DCB3DD8C9C7BC8A0254BE2D290C3EE25A533EEE49933DC8A0653D3358C1BB7BFDC8BDF5EF973BD1E5B1BD10A409BC6744593D5EB6A0BD26A9933D04DDC3BCA0920DBEBB7C0C3D4A81153D455655BDE0B02BBC5F94803D8872CA3DEE1BCCBD2B3393BCE78FC1BCD57EC53D19C822BD8FA0A93BE3D296BD88BBDA3C742E393B97AA013DB0EF8BBDA4CAA7BDA0B3F3BD42D70D3EA3B88DBD7EE5113E0939C6BC9892AE3D3B8CDC3DE7FB353EB376143D128DDA3C58574A3E5DA02C3DCE5F3B3D55E8D43DA0F5B53CC13E02BD0D48D63C2F12B03C7D0DAF3BE2E39CBD2F4FEC3D2A60453CB339C6BD94A3CABDD391E7BC17AC933D3410B8BC0C4AC2BDBDAE0EBE1D68D2BDBEC208BED6B4CABD63289FBD08EE753DA2E188BDF3F5A73D78ADE33C3B96C9BC7FF5833DF0BA3EBB73AC3A3DCCF21D3DF9BF0F3E8F8BC03C2F4C913DCFF0253EF4B4ABBD35C6303D4BEAFFBD8082A03D12FC603DC82B4DBD7365AFBBD3963A3E99F7A8BD2BB95ABD8FCC8A3DA77DDE3C7322CF3D6B3FE03BEB80FDBD1DF7F23D57E7703BC3F7853D9A01D0BC4D2CEFBDAB7FC3BCFB57A23DD1E3B7BA5893163E5B73A8BE8E54C3BC66171D3C5AD8FEBD5648213ED70B17BE705ACF3DEFD8C03C2A5F5ABE3D47E6BDAD9DF93D9AB890BDC51A573A7B8926BEFF8B5BBE53806E3DA7A4533CDB2E1B3CAF9F39BDD90905BE1FC4043C03CAF23DDB55ADBDD71D6CBEE0F9BF3D184305BEE203E8BD9A777FBDD4A2C9BDA35E2F3DE748F83CB79B58BE0BE935BD7FEF843DE3A5703BC759F73C753AE23D6875BD3CE30173BD37979A3DA0C3EABD381ADCBCC5C52D3C3D6301BDE310783D9F5288BDE0AB803CA27BD23CE3C276BD62DBEEBC9DA4D83CF227EBBD093E433C97338A3D1F660ABD7CC5AFBE54F78E3D1B3A083E7FEE0EBE404D073D273052BD972249BDEC8D073E901FBB3D6F6E92BC87BDADBA95699ABC009749BD47C6DCBD3B9FE53D000D6ABE6A246DBD90A0663DC783C5BD339C563C6743BC3B163C8E3D7D5C7A3D580DB5BD8B871ABEA27184BDE7FB613DCC24843D7B39A63DF7A03FBD2EF0053EC005E13C774742BCE4148ABD659FE63D434FC5BDD705943C82CF6F3DEE3006BE3A351CBEB6B59E3B2FB67DBD7359223E0F2C14BE9F060B3E27A463BDCCF7393E55975E3DDFF815BE0A2F283EEE80853BF518E03B3024BCBD204B40BEC702833DE8FECABC3E6501BE16A08ABDF6961C3E0DF398BD9D7C593E3E54173D6E5D1BBE7DF9633D5DD7C8BDC7662B3DE73BB83D83880EBDC15306BD4356D3BDBD0C60BE82EEDD3CD4970A3E30ED6DBDDB57D33CA43AB13CCC16B1BDAF5982BD0FF2D13D4B644C3C26519F3DC462C0BC00A9D5BD120B1C3C3AF0B3BDBFFAFDBD729659BDB371843DA9851FBCA696BA3B501F4DBCBED04BBD25A8C0BD7D7BAC3DD0870A3D8BE2683D1DE8783C315BA9BD06D5013E744E3E3EC809B43CE812F6BD6871043E16C0AB3D99502CBEFF4282BD1F8E363C6C96853B1FDA9FBDE4FA2E3D4F0825BECA0B5A3C412C23BCCAE7633DFFA7AA3CFFA227BE897B1BBECF0C62BC45DF323DB9A602BE4708863C7FCE683DDCFC93BD37E3ABBCB585F0BDF01E87BD452AEC3C4D0AAABD53DEA3BCAB2513BC0B228C3D4893DE3C3FE2253DF509723D0FF386BC4843653D23B4DC3C3429343DE8A8E6BD6FA8133E2B488D3D7AFFE33D0DE73FBDDB3E2BBBCA77C53DB449933C256D563E595F273D9BD28EBD7AA9DBBDBB6E24BC3FFD913C41B1993D3B462FBEFB1F9D3CEC65993DF1E99ABD3345363D807F4FBD8DAD5DBDE0A452BEDDBE6A3DC79B1FBE7585BFBB2FE4403D6A410DBE624B49BEDBCC76BDCD73433E5DD773BD55C284BE35AABCBDB75191BD03C343BDD761D73C3F0A90BBB2DD9CBD0F5E2E3ED0D303BD1A5AE13DEA96EF3D18D31C3ED78158BE1727633D8594E5BB3F58303E85C07C3EFFA0BF3C1DDEA23DA8D052BDB18B8D3D2B36C4BDC0986B3E911311BD68ED2BBDB576D0BD3A4F213EC306E93CB39C3A3EEBDFD43D42F4633DD8247FBD4E383FBD9BC573BDED2269BC54BB1E3EB47B01BD1DD09CBCC8EDED3D72F25B3B3B82D93D361B3F3C9D691EBEA82274BD0FF093BAA25D193ECBFF923DFBD65FBD7B9971BE2B94F73DA22CE93D48797ABDCC34473E751D0BBD5A3063BC8BD8A83D7FB48EBDA8CFA93BAB39C639364A42BEAA60B93DA0DED2BD2A88D73DB3ECA039218308BD411C373DD8B7653DD174023D4AC3B2BD1B1F403E5E5B19BD7F33083DCA23D1BD00BD81BE6889FCBD57DB01BEF0C7543E156FDF3DE3057A3D027182BD48C6C7BB45E95C3E073255BE1281DDBC9B78813D1DF0FF3DD6E2023D023DDE3CCA30883B6D29243C6768E53C85CF583C7DBA243EC8C603BE358E80BDD388CFBD926C4DBDB7B9403D97EE7ABBFF3C83BEE3418C3D35FA523CDEA3183E97219EBC342991BDB90B35BDA495B6BDC9FD97BDAA87613C2AC0183EB59CF63C70568FBD42545F3D7FFA1C3EE7B4113EFC18AEBD5DC56EBDD5D1D0BC9D91003DB5CDB5BC6A6EF0BDF3B38CBDDB99653D41FDA2BB9820D03CAE0319BD405B27BEC3FC4A3728378EBD53C6CB3C4408A63C2FF087BD7BB902BE05CFC0BDAC2F98BD9820E83C19053F3D3D4BD5BD1F54353E22F845BE487B46BEA75BD0BC335E943DB7ABCBBDC97C1CBE45E848BDA57580BD1D5B05BD8D4AD33D6E84C8BDA866353D4F19EABD20985FBB7BDD4E3CC527673E2DC35ABD638D8E3DC3C83C3E55B4C0BC9461013EDE4683BD08FFB1BDAAAE92BD5BBF803D40B1AEBD930218BC1CE8863B9E9D463E4563F63CC37C37BC7D2884BE10EF573C6FC003BD2920873D6FE14C3D5FCE0B3DABF78C3D6A3A58BC98EE0B3CB61608BDD918A6BD0C949FBC51CC01BD1FCD1F3DC31148BD88E095BCD5FF22BD9B4E133ACB0F1F3D4C7B0FBD73E68CBD36C9283E5C83CC3CC0826EBD7525BE3DC2985B3CF58758BC4382C9BDEEA2233E930D603DB22199BDAF42F7BCED6D85BDBD67123EADDA9FBD8360CF3D828A25BB7235143E37CC6D3E9458A83CA993C7BD2585C83B6737FF3C73A7993E66E1B9BD1AD6433C5E9C1B3DFB3B143E2DCEB03D0D6E41BD817413BEAF421DBE0FB5C63DCBD17D3CC740D1BD0CCD1DBE53B7D73DEC500CBEA678883CF83C1E3D5E70343E4F023E3EE30E28BED33D8E3D589F07BE13330ABEC05C6D3D93851D3DCDB4AC3D7296C23CDAD815BD236F7DBDEBB53BBD313405BDBD6D2FBDC5A6A2BDF8730ABE85507F3C7B8CDA3CE219623D9CD6423E5751A7BDF174433EB048D03DC0A1A43DA542DD3D39DD1E3DFFDB0B3E478CF73B4203E1BCC56E2FBE88F7F8BDAA3DD7BD2B9F0BBEEDFC213DB7AE873E62C2633E3220453D38AC373D8378AC3DDB1FB83C597A243D1BC42FBD775F803B9AB7BEBD9BE5D8BBD0221EBC625BA83D700A7BBD427C19BE330D63BD20596ABC5289F23AD0DE7E3C4961413EA9E2973DF38479BDEF085BBD700664BDFC3046BDD1C7B1BD3755EDBD826A8FBDA780B8BDA8908DBDEAB9103EB1F902BDAECE23BD2DC2873D14673F3DD7697BBC42E70DBCE7EB673D535B573DA07F06BE185E563BAF7E3C3B8254183C9CDE8DBD37CFCD3C6A109B3D329211BE7D8348BCE80CD33C7A4C71BDE20C9CBCDD67643E229CFA3C0F0DDD3D7837E03D38ACEABD35F6563E6F3CE8BD2B313B3D4F9C1E3E679E10BEF76003BE82D159BD7DB4E03D2B3106BEE26D1BBC3855FBBC03B665BDFBF2123DB23B293DD44B85BDBF1215BE5BEE2FBEEA357CBDEB3C4D3C46D498BE6FB8EABB9B3B99BDB2B2E9BDF712B1BD8B469C3DCB0042BC38DD803D7ADCE43DBFB6ABBD641784BC1B4C183DB311313D2FE09EBDEB9409BEC46EA1BDC7C6083E56048ABD5ACB113E3BEC2BBD6A2571BD4BD3FFBC0228833DF15C2E3C666E9EBC6C4113BD0502923DAD7073BD717A87BDE86B1FBDAFB71D3C4D89893D15BF973D1F8D943CC008A8BD499341BC4B78D93D2703033DCFC8B3BD5AB806BD7200FCBCBB10D0BD8D31AC3DFB19F03D371F753D236C69BE6C633D3EDA939E3C6FEEC73D423E77BD4417313D350BE1BD4FB44C3D609F71BBF025AC3C73D0293EF2B9CF3C26A5BD3CC611BDBD18A247BBBD4BEABD007FE8BD00D328BDB207D8BC19878ABDC3899DBD4DA5613D027534BCC750C6BD0F2F36BEA80E07BE269226BE073D3F3EE2A2033CE125273D1496C93D2D4FBA3CC2A47CBECD0D4E3B632983BDCABC4DBD6376A4BD11CA113C0325823E358EDB3CDFF2B33D8537EEBCC3B7F63DB111143D43F326BE3AD0343E09BA06BE"> : tensor<768xf32> to memref<768xf32>
    %24 = loop.constant dense<"0x06A3593FB92E853F3472723F45206F3F095F5C3F7E215C3FB959763F56696C3F10606A3F8CCC8B3FC943633F58E0833F73EF913FD298973F5F14873FB6C7843FF6B6893FFB35813F0D63593FA15C953FF88A683F6C55803FD88B6C3F6BCE743FC57D673F0C2A6F3FED61743F99FA873F1ABC653FD8BC723F3D92803FFAEB7B3F6E727F3F27E67B3F63EB8F3F0A7C723F2F6B7F3F5AB4793FDEA88A3FAB68603FF8478B3FDB0C863FDF10943F13A98D3F7DCD853FB29A833FFEE6493FF390713FA615523FF1528A3F889A813F9986623F24736E3F0653913FD31F803FE3A88C3F584A783F1BCD823F8DED6B3F1225783F7F23683F5430863F15B0733F6DF38A3FE41B923FB98B7C3F9F178D3F7F06963FEB65793F87F67C3F58B0563FF6F0623F24B4853F0C12883FA71A723FCF25813FA5F2873F11E58D3F2FA7713FCB80753F31A98E3F52B8823F194F8C3FED47713F730A883FB8938E3FE6827D3FE8366F3F52DD823F83FD783FA642743F3B88603F323B873FD400733F68B3893F2DBE733F0AC2763FBB9A683F1241883F9041893F04A5853F4DA6943F76C44A3FC0EF803FBB96923F2F72893F020B5F3FF74F813F88958A3FFC46813FD437883F5BE47C3F610F803FEEBD8D3F88205C3F0EE7893F8C6F773F20728D3F8A36713F035D813F5C5C6E3F5078753F13698A3F3FF2663F66F38B3F51544C3FA7AA8A3F5908783F6C66623F3F759B3F1E745A3FF3718D3FA47D683F4BA37D3FA088833F56F2633F5A7B6F3FDD02533F5F619A3FF7038A3F6022923FDB0F6E3F64C4813F1D679A3FFFC87E3FACBE593F104A593F9D6D803F3B449E3F9F3C7C3F9AB5613F5920813FAEC2733F61D68B3F305A913F92EF6A3F9C4A913F42708E3FF2598D3FCECD793F7C437A3FE5BC873F0B71943F8CCC8E3F4D588C3FDD22693F95D7713FEC007E3FD5DF703FB659863FB8775F3FC0456F3FECD0713F7B92573F6AD36C3FAD5A803F8529773F74B58E3FCA91863F6E3C5E3FBC647A3FA3596F3FC6307A3F64339B3FD9F96C3F059F843F467E5E3FB0C7903F763D883FC9FA8A3F3F6B853F89947E3F5B047E3F03B9843FDA65883F764A6C3F2C676C3F6011813FDD00783F28686B3FF177723FF7E47C3FA56E8D3FE6A2683FB025923F1F48893F0AC2893F6DCF743F7E75833FB88A943F465D853F1D0E743F77553B3F915F6B3FD629893F346A8E3F9EE7893F028C5D3F9E728B3F1606603FC2B7523FA7BF783F41AF693F74AA873F874F703FB9AB7B3F55967A3F4273653F781A8E3F19577D3FCD185D3F93306E3F1953573F5ED8883F59EE823F8509643F6AE5423F1B67513F8BB78E3FC0E08B3FB5578D3F244B6D3F6087783FCD1E643F15C8763F1ED3763F3A984A3FF679913F1EF5753FBE0F723FAE61583F2D2B843F9EB98C3F8FD27A3FC84F673FD6BC883FE4388D3F5D728D3F20128D3F1E0E853FA62D683F391A4E3F2182843F8132823F12368B3F65DB873F8750A03F4B3B6A3F0E30623F7EAE7E3F7589803FE75F733F34F0893FA400723F04EE883F7A729C3F6815723FE5976B3F9B70693F9B7C823F4EC4743FBE07893F78B9843FD3F0643FED027A3FC45E8D3F248B443F058F543F0E9F9B3F86256E3F91C78B3F1BBE6A3F8A405A3FC103813F68026F3F88B8813F54D8693F60B8823FF4B37B3F4633753FD7A67D3F6B168D3FDF8C913F1E3B643F96C9913FDF52893F3CCC693F8401793FD226483FBE62893F8D8E873FA26E6E3F0773573F7A18553F953B743F7A27703FD4A27A3F191D8D3FA64F703FFAB18D3F4C5C853F94BBA43FC66F8D3F7A9F793F3421833FCFDE803F3027943FBA1C5F3F33478D3FA0628D3F088F813FAB5C6D3F029C863FC8B8713FA0C4843F640F7F3F1255863FFB8F7C3F6EEC843FF6267C3FAF66653F075B823FEBDB5B3F6C57593F3E9C6B3FB7068D3F6FA4733FC2E1953F2152613FE7D9863F08A27F3F21416B3FA6B7873FF340873F0B68943FEF236C3F9548803F6722703F9F54703F5A827F3FBB8B863F2345833F090D713F37B37B3F903C533F58717C3FD2087F3FA333763FE510783F8DA8733FE70FA23FBAB6883FADEA853F2987853FBF45893FFA0C703FCD7F763F381E933F4023953F78A27F3F70EC5F3FFE388D3FE859813FFB3F883F457C673F28997D3FE0F0593F00D8773F838A823F610A7B3FAF5F513F4A578F3F1D2C853FABF8903F5F41833FCAA3833F3DD9753F9BE2833F7D0E683F66B3683F7E3C923F1D1D833F6CAD963FFD6F5A3F9F11603F7A0A513F53DD723F1721583F7FC7653F35E4613F3F03803F188A973F4359703F85696D3F5D4A6E3F724B8C3FC0BF873F81754E3F3D3E633F79A8513F34CA693F6D22803F675F7D3FCC906E3F96967C3F2C61843F0B6B813F1566873FB77A963FFC157C3F04CA8B3F6794813FEDF37D3FC9C94C3FD29A623F9FA58B3F7630843F81199C3F82D5583FD496583F02509F3FEB49933F8AF0853F4E5F713F4DFD813FDF42633F16CA773F74D5863F16A68B3FC8FB3B3F0EDB443F7755663F95977C3F1CB8933F0D7F833FF7BE733FC9BC783F55B3933F1030873FEAF2713F36EF663FD0E6983F9931903F7CCD533FD41C863F8FDF953FD414733FF993813F6E33893FE64B303F7033813F46856C3F2B99883F4046923F2701993F1E0E5F3FA8116E3F8CCB7F3F3CBB873FD788713F483C703F20D4943FDF9B853F19FF853F4399643FBF82853F0566653F556E893FB5A8773FE339783F168C5A3FB6F6613F0BA86B3F34FB703F365E7B3FF312713F4975933FF5D8873F6EF17C3FE17F873F9E698D3FB9E7753F86E5663FFE0B893FA3CA8C3FE45F753F2A09683FCE446F3FDAC3923F29AE623F9636863FC539863FE23D923F268C893FA47D6F3FF034933FB927873F0AEC953F9306753F2C11803F14E1963FA42B583F9E53853F3E37983FCD265F3F33D0713FC104553F90617B3F5FA59D3FA31E783F3F64863FE9D5843F3D068E3FB77A4A3FE085903F22626B3F9497713F756F593F517D823F77097E3F82E98B3F3A4C913FC8BE873F8D4A893FAE707A3F138E803FC8D6873F87FC733F8431673F0AB67A3F9E167A3F4A73843FD950603F0CBA553F8E4D693F0199733F9577683FB8B4513FA9E2823FCC63813F4090733FCDA9803FDC14963F9614563FA69C2F3FCB345B3FB0F5693F25C2583F1538833F7D76803F02128F3F36CA7F3F863D943F1D418A3FB152863FB6F98C3F6A7D823FFE7C663F124D643FCC637D3FB6E78D3F15E2843F78C3543FC072583F5B03803F73CA693F74BF613F04F67B3FA2AB6A3FAA2B823FA7AD7B3F576E573F459C873FF85B8F3F786F683FB710573F1679453F5ED0743F342A8E3FC189843F08CB863F5234883F4494683FAF3E5D3F31C7713F20377E3F6C898A3F13E0693FA19E793F17506D3FB6F9743FCFCF9E3FDFF5953FE3C57A3F99917F3FE0F7593FA6EF793F4891803F894F7F3F22A9793F2846883FB2B48B3F4EA7693F28048C3F6BAF813F16C4913F14676D3FBDA1943FD8EC423FC2AC843F41597A3F5359743FFFB8893FE0D57C3F55F5543FDCE2843F5889833F3C6E573F2E73823F85538D3F78D78D3F308A933FA8748A3FD3336B3FD0A6733F99438C3F8EA2A43FF296A43F8EE68A3FCF276F3FF5FE963FB486973FF89D973F19027B3FB1F2823F9F63813F3056883F4EBD6F3F66D58C3F13578B3F84D8773FA7A09F3F686F6C3FD225823F26B6733F3F49703FFA1B8A3F58FE793FE7B9813F8024743F1E9E873F438E6E3FFAF6843F7258863FF06F773F1427773FA4F9773F09F9853F9FBA703FE9C8663F894F763F26C2623F7118833FC0B6843F80706C3F19177E3FCA88853FFF9B843FF68B8D3FEFEE563FED93843F58696D3F20A9813F3DD2863F575D693FE7E0713F3E2A743F51F6813F9FC7913FD289823FE714793F566F763FAB46863FFFA1883FD53B693F74CE823FBD07773FC355653F6E5E573F3EC2703F0D31523F7C47823FAFA3733F23D79C3F29EA833F96BB843F4D657E3F975B7F3F8A338D3FDE208A3F9F83803F3CAA7A3F16A7803FEEC05C3F40D5523F8EE76C3F7C67693FB77A853F3430613F3BE3813FAA19793FFA16813FCDA1623F8E9D5D3FD8F7813FE145733FFA22553F45558F3FCFA1843F1F12873FB882913FB099583F1BBD883F6248723FC0B76C3FEB54873F6F37983F7C9F633FD71B653FCDAC7F3F6C97843F1D49633F34E58F3F1727833FC9A0863F2D597E3FE5CE7C3FB97D713F289F8F3FA1795F3FC0E66A3F37F26D3FE3F4783FF9E25E3F8F0D883FF0DF8E3F58F6893F93576F3F"> : tensor<768xf32> to memref<768xf32>
    %25 = loop.constant dense<"0x682F603D1478C2BDDBFA923C2F222F3C77F5B43B00F5323E1B6B4ABCA39FA03CEA91673DBA1981BDD5EDCFBDA58C9C3DED76393D1E85AA3D40D095BD184DF7BCFD1A963D0ABD8D3D4295183EB8CB75BCF78828BCF3E0B03DD72B0F3D63CAA4BDA3CCC03C90FBD03CDF52B6BDD07CD23B3EF806BE57FE413C5BD981BC8FC62A3DDBBDCE3DE541043DCFF58E3EC37BE73D7B9161BD29114BBDF099E23D624DFB3CFD85C23D7BE526BEACCFBF3BC5B65B3E02495DBDDF555C3C4EA94B3E4B70C2BD41F480BC5F4B51B7C2B20C3EA02F6FBC191ECABB7020243D9F11803A24E29CBDD019DEBD0FCCD3BD7A1AF7BD3A20613C60BF9FBD48C9E8BD4BFD21BE5BE24EBE13A65ABDDC23BF3D99C120BE43A748BD5278AA3C571E27BECB66643E958A4EBDB2DE51BEAF2A83BD2B4887BEFABCDCBD80B9DE3D5C782CBC2070AFBCE3A58EBD8B349C3D671CBD3C9392223E4816193C1DF14F3B292A20BEC1134ABE938FF1BC0961C03D471C333E33E487BD91B5903EE16B8D3CD178893D0DC95F3C8336C33DB29CD6BC8B93183E0A68F03C2788F83DB369CCBD04CDA7BCCF032FBE4B5FBCBB476649BC4D20463D801EA33D46A833BD06B54C3C9DB1FBBD0289AD3C6CF795BD117C8E3DEB426E3E6715FF3CEBB868BC18C144BDE1F044BDC7BED83D1306E8BD80A544BE96043FBA45EE0E3D08D3523C00B250BE37D03ABEA7084B3E67BD14BEB512793DA2F2303D68F45C3CF5E7B8BD7F594EBCAD3B0ABE133811BD1216EFBD178648BEB8C35C3D5863793BDE2211BC54E7A0BCDFA4E2BD2B5D8FBD3FE0983D8629B03DB90B0B3E1AAA0E3C85B4CABDB993203E5F6972BDA3A1BCBDCBDF113E139DB0BC5789CDBAF7E299BD177DA0BE57513F3D5A1EE8BD85EE473DC7C19D3D9B715BBE4FFE32BE7793C3BD0B2F873C5F54173E57E63FBDC069A7BDF76A16BE97799A3D3C4741BE7BB8A1BD5A90E3BDBB7349BDE99D15BDFACF803C73AF85BDDE4D1A3E630E1E3E7CB18BBCAFEF963C9BE58B3D6FA6FABC5A98983BFA1752BEF77F313E483DDE3B0928133EE0DB17BEC2F1DEBD88275ABD2695A23DD2B093BC0BF9253EEA1967BDF7C950BED061F23D207FF83DC5F99C3C4054D4BB67F523BECA75DDBD2129823D77B8A03DE532DFBC63DA70BDD85C303C431E343C0017DFBCE4CBB13D2FC0683D0F3A0ABE5AB373BC8BA2B23D8773D03D9355AFBBB2906C3E7C0805BDD337C2BCB886253CFDF4403C6E2A9EBBC9AA0CBE8B9EAD3DAA32E5BDE2D978BDDB18B5BD319ABFBA2217C9BB847092BD33317A3EA72C0C3ECF85EC3DB9743F3D7023073DD29526BE415A3C3EA94A453E6C790A3EA736CD3D0DD4E33C63B54A3D27F50EBEAD3E84BD824D643B3A339EBC2FCBE2BD0D4252BBEDB2083C2B68E23C5073ABBB3D5BC1BCD388263C6F5623BE126E9ABDF86B92BDE017A43CFED12BBEE418083E8A9F45BDF794C43CFE17173E3F67103E728AE43DF4BB033CFFAF6ABEE30D80BD4BC9D8BC24CD3F3E2D6E433D688004BDFEDB093E90BCF93D283B4F3EA0D56EBE12846F3E20ED5F39B3D53CBC0DC0683B29FA113D736027BAD16E45BAE317F23DA3883ABD336540BCCF5089BDD22513BD331FBEBC373E44BE2DD7AB3DF5D3293D53639DBDBFD5EFBB223AA3BD05EB023D8FE55D3D326F0CBE0E8585BDC72E2FBD2A7DD23DE3D108BEAD4C9DBDFD410ABE4F7BDDBDBCB6493C7F6D733E3935473EE69CB03D6196813B9F9542BD164739BED7D5E4BC580DF9BC8886D23DB2C3443EE31D38BE030790BBFFCDB93D9DEFDBBD3B34813D97E6383E34CD443CC3EB863DE458C5BC1B9176BDC70449BE0CE99E3DE8D4993930470B3DF2CD343D3091E23DC79D1E3DFB90193D0BFBAD3D5BF5293CAF9ACEBCD31EBABD9DE3833ECC101A3EB67F36BE4BB26C3D96D12ABEF8ABD23D25A375BDF653993D86751A3D53C0A9BA6F16B23DAADB503DCFCD88BC3F6DC93CA58DE73B3B9CB93CCD0B65BD2DF74BBE1DC2553D5F2F82BD8A4F3C3D023E513E60E8C63C543E49BC1FCAD13A6A5827BDE3F3833D53CBE0BDDDA90BBEE8A1113BFCB9233E8AC95FBD772AC83DC5B84EBDA0E4CDBC7A74E03CEDD9B63CC00C923D94B1B8BD6FF040BD585FE33CDD59BABCCB95593D629227BD02D332BD7748743DFB75CFBDD37B4FBED09AC63D04EDAD3C8DB27DBD23C70C3E8322313DFF3FE1BD9F6F01BE83CA72BDE5246BBC4B0F5ABE62EC7ABD04C831BDC742A6BD43A70B3EF066353A9CFBBEBCA38FAD3D3BEB2ABD0056B1BB272782BC500B4EBC5DEECFBB8ADF1A3DA75E2C3DF17191BD55AA61BA98152FBD6021D1BDAB6F373E2419C63DC0CDF23CFBBFC43D2F48B63B8ADEFB3D2B96BDBBAB5C1D3D97250FBE3E18323E4B5F13BE8C3AB6BD8B09C7BC7A2EDABD3D06ACBCEA740C3ECAC6B8BC8FB02FBD6BF1A7BDFB6040BEF355B03D1779F23C173A11BD2091223CD9E7B93CA588DE3C0DB7B6BD38E6D23D3300C33D671E7EBD6F3D4ABEB159853DBF91A2BD58E7BA3D137FCC3CCBCC26BE775E18BEAB65213D43285D3DEBA54F3DBD799A3DC793E8BD0CBDB2BCB72F2C3DA052833C4FB75C3EBDBA723B9FE6A4BDE4680CBE5F831FBEBD5110BAB59A20BE2AE6FBBC6C8B0B3C817514BDDD51393CCCC3883DABDFEEBD1642A3BDA530CEBDE3FE973C95C854BD19709EBC2F1ED83DF31C46BDE0AF543D436864BD861F08BE7E2A16BDABF9D4BD1A4601BD6DA7553D968622BE5EF2403DDB4421BD9348AC3D5E3A14BDE1AF163E4B9DF8BD6BF954BE45AFB33ACFA0E43DAF429FBDC0C5873DFFD065BBD7A32C3EB7305DBCB2A164BC90E6A6BCF563F23CFFCAC23B63FBA13DCCB82ABEC1ACBDBD716D943C559311BEA778F6BC9277D13C78C9A03DCBA5113EB56015BE9F19A8BD31ACC13DB64A8FBD8F33733D56C02FBAD2BAB1BCD654C13C2010613DA25D693C1B3A04BD4EC9C13D22E08E3DC3082D3E9E4CB93D45AB823DBD7111BE2C19973C91FF1DBE5C52B3BDC31FCD3C34F5233D7DDB24BDA47019BC17C746BE7BCB433CF1B83E3DCA8D2FBDF201223D239558BD07B7A5BC6F9A9BBC64F53ABDDB940B3D4B68DEBD88A972BDF2F1F7BDB2D1B7BD90ADF6BD28B14E3EE3D7F03CA2E0493C324C3D3EA3E5623DB24B99BDFBB7203EB17A173D6926B8BDAB0329BA87A116BE2651993CBEDC363C560E82BB7429033E70A0393CB584EFBD9FB758BDE8EB083E901EABBD5300A53D418891BC2AB72ABEA7403ABEBFC2FE3DD51276BDC44B883D00E69DBD5F49763DFF6424BC4F0728BEB5AFB7BD3EC847BCBAA2C93D278EEB3DF261D13C1F6469BD70B4B73C31EFB03CCCC8893D00CA753C5FE2DEBD4089B3BB0045F03D537FA0BDD1D9353E8CAD1FBD3C259CBD624B5E3EB0E43D3DF164A23D9BFD383CF216E73D75CF2CBEF344D5BDE942433EE76101BE823E7CBEC00893BD1FC4993DEB64113D16B2813DA09DD43DB0C5DCBD1CBF023E7A0888BDE5FCE73D7E34953C602A3D3D5078A3BD3F81193DC3836DBD90803C3EFB143FBDF74D82BC778D923DC76C373D63EBE2BCCD31FA3C7339A83DC02CE03D1350E33AB5460A3C082C75BD5B24303D413997BD0B23AB3C2FDBBABC23DD9A3D4549693B9FB6C3BCD949C2BDEEDD123DCD346CBB5BE691BD3B9C113D497890BC50261ABE1EF22C3D68737EBD19F019BEE2B41F3D3B8F05BE53D0233D7272E13DC74531BD9B7987BC0593E23CD33525BDE24E153EC5FD7F3C7ACE2A3E075314BCE1AA8F3D6B04D0BB1B8CA73D2F35E93DDA48D3BD93BE46BE9784E33CFBA1133E3A9B17BD0D85753E097E8C3CB82101BE862D1F3D0DE9E43C77D8013E5DB71D3CA3D923BDCA15533DB4C0B13DBAB3183E9F6208BE1DBC8DBDB9EC13BEBDD4953DB018DF3D73FCB83B87FC54BDC856863C9B6528BE4DBC3CBD493A4CBE71EA893D6B4B4A3D442E8C3DE2E64ABE129C81BD60E74FBD2B1813BE9F99EFBA4D5AE43DB5D295BD6F4372BDC5CC19BC0E2815BE5559E03D02A4303DC83EAE3DA78183BDFA30CD3C28FE953DAAD00E3D53A9853D2F56FF3D759AEABC69EBC33CEF67FDBD22D0BEBB50FA94BDA3099E3C1298913D8A92E8BDE46EB6BDAA3493BDDE7B423A331A183E9C91BD3D7FB72ABEC83FD9BDD34BC1BD1F58F1BD2062BABC1DFB263DEFCE5CBDB08F4D3D595D0D3D833C3ABEF0505ABD9616263EEF83093E78676E3CCEFB903DD0B383BCFA57873D932C003DEF898BBD53F585BEFB477EBD5FDB603DE328133DC26E5DBD58B01BBE7EC896BC6E7799BD42ACB23C534E59BD5A3086BD47092B3CB03E1FBDF3376B3D1A6E37BEB9362CBE3B7C803DD245FD3C5DF2A6BC"> : tensor<768xf32> to memref<768xf32>
    %26 = loop.constant dense<"0x0778A83D228459BBD34EC3BDD185123D2B813ABC683A34BE289D63BDC174BA3C4BA023BD112C003DBDBEDC3B7BA54CBE7A8156BDABE5093DC73BCF3DE8C5A73CB13E99BDFF9446BDD942823D251B3BBC3122A73D6D89D1BCD3BCAD3D777723BECBA58E3DCFDA80BDBF44FDBD738513BE20A8A6BDBB3A023E856ABEBCCC76A3BCB09207BDBE44823D17941BBD4F0809BC878C2D3CAC452F3E4B18ADBD7B6F5A3D7564C5BBF730A43D7BBACA3D36C79ABC7311423EB463233D2AA719BEDC01A5BDA8D9973D1D743FBDFFC6E13D9BA6F0BDCAEA073E778A37BEEEBB12BCA564F5BD2FB4D83CEDF759BD401936BD009B5B3D28A2C0BDA23DD93D77F37EBD6B6F25BE62CD8ABDA2D2F13DBF19F13D6F02083C1D53D43CA0E1B8BD3FC5AB3D5A3D123E06B92BBD5384873D91B20CBEED5084BCA8AC47BC25E47C3B1F94093C914DBEBB5B68DE3DF23451BC9B92B33DDEDB223E8D138EBDA2B47D3DCD85A0BD1B23A8BC85DCCC3D4875F4BCFDE9733DFE77803D01C985BDBD2E14BB925D653E2E2EB03DFB728DBC24314C3EF5E015BE6363FE3D08DD2C3E4215DBBB8779963D8613333EB36301BE172E423E1A1DF73C740033BE107AB73DDB8F363DB3A9913C6811DBBBAA9430BD85A17EBDE42902BE9F29263EC70B8D3DC32653BE2379BF3A738065BEB00A3DBE3792A73DE29093BC9F465FBC76D818BDD3D33DBE02EC663ED53FD53DA17ABABB70AF213D4247D8BDC581FDBD2BD490BE753ADCBB55554EBC3FF0E53DC320233EFFB8873D2AAEB8BDDB3DB83DC8414F3B28C59DBE48FB66BD7DAE91BBF6310D3DAFE4F13DA388913C4BEFA1BC97BF0F3DA90FBFBD7F386FBD3341F63C6FAF5A3D52B537BDE203A63D3C7846BD6D13ED3D9B1855BE17C3A6BC3B1F9F3D506A2D3DA2202D3CB6E38BBC92C5763DAD62A5BDEB3EB83D30C49BBDC2FDED3DF3C5363D08614B3D0229F8BDEE8F86BC061F233C3CE0C6BD92E9133BD598FE3CD6DD3E3D88A8D63D097A2FBE1857E23CB8DD6C3D6057D43D68498A3D28F6E23C48BC773D64782F3DA109C8BD71411B3E0ABD52BD673BD5BD12550BBCEE89303E6B4CADBB0775153E7D2BF53C1EED843DFF32033E1AB09B3CB07ADF3B97C191BE5BD4143E00CFEEBD7B8B0C3B8AE81E3D4ACE83BCBDE622BB1B9735BE84008ABD4AA110BE8FE163BD4BA1E5BDB35005BE0A70A5BD4468A23D584890BDA73D29BC44658EBC0F3B0F3E2772A3BC3CBCB93D8B2D7CBCE4AD34BCA4733D3DF3A5FA3C9BD1ED3D8CDB36BE9FAF31BD7FB2B33C62C56F3D8FCB803E9F9228BE55D1F7BCFA6C963DBB11A83DA046CBBCCB4B1C3E28A0C2BD0012B93D02A6DCBB6FB381BDCDF6CA3B15A3D8BB3B0506BEDD0C133EB0AC56BD2FEA55BD23C7403EFFA4743DFA10C3BDFB9E9F3DC827773D777BEABD17867A3D85FEBB3C43D1AB3D99AD45BE710398BD6D5D783D055CA13DC856E9BDBD06B73CFB8D893ADFDBB73C6362F8BDA3942EBC28E2A1BDBD2812BDF5723B3D38BA0CBDB5C45EBDEFF3143E770F01BD226BE7BC20DEAC3D9061D33D41A315BDC316F33C6AECB13D5CC44BBEA79E33BE9D7419BDCB7596BDD2409BBD29D9A23D8B658B3CB04BD5BDB7066A3D570D68BE1734C93D213AC4BC93FB92BDEB20E6BDBC87A03CBF1F2EBD8B26293CE86B293EB75393BAEFACDDBB6B3DE4BDCBBE3B3E6F2DD3BD00D35D3D6DA0C83D57DB203D553103BE87D0083E6332E4BD57D70FBEC1B12F3C7641073DB7E2D73CBCD58A3D05904FBC49662E3DB982CA3C2707EA3C4780DC3D83CFC5BDA72CD63D3622A43C0B9D903D5D03D03DA0F94E3DC0B7693C745CC0BD92BD55BE9594D3BC6F1F233EF348FC3CE382FFBD1712483CDB600B3D2859FEBDAA23033DD3F7A63DD24B243C102DFD3D8DFDCC3C5FACF13C5C0686BD5DC6DB3CD6678E3C7C3BA0BB92491CBE2A1CC43DE30BBE3D3D33CDBDDA96FA3D98B5D5BDC0019BBD7AE5703D35BD833DDB73923DB2D9CCBD71ACC7BDEC2BBF3B3F20AEBDB25A2BBE2FE5E0BBC722BE3D13505CBD374D1F3D644E2F3B7B08A63DA27C183D77D790BD41A1A139A52418BDFE373FBE9B5C54BD8FE917BEA20F8D3B45396C3C9DA8133E259855BE1A9EEABD43E969BD0524D83DBF70143D03520ABD6BAB163D038E303DEF9B283EA79247BD475DDEBB5A6D25BE58A21F3C331A1F3EE0AD28BD0988A33DF4C21F3E63F149BE6C3D1ABE9AE858BD1FAA72BD5500023D10EF9EBD67F9303D5B8BDCBD684C6BBD65671DBE31D7313EB8A0253ED72B673D62876DBEB3F95FBDA3736FBD668220BE43E65EBD6F8405BD40BEBEBD2C1D163EFE7B30BD0A34E23DEA72DB3B750EE53CC5E6283DF533053EF6B62A3D28D7BE3D5DB2CF3BE80EFA3C272E863CF7CAE13CBFCFCC3DDC6C3EBED05B763DED880DBE64D1C3BD11C98D3DCB6DD4BB0268E3BDD4C71DBE51D74BBD01F0193EE540C2BD52F524BEA03AF4BDDB8FB2BC0F5EED3C0F43833D36E399BC5339423E0EEC15BEC46DB63D78BFCDBD7FEFFABD8513DDBB6BF970BBE803E8BC230BB3BD4817D53D1B0FFB3D175BDCBBA7E4C43D2B5FC23D28291D3D3FD52EBD17A55E3E4F5611BEB72729BEBA79DC3C62964FBDEA5F78BD853A6FBDBDBFEFBC7D56E43C1C04423D67B228BEAF0894BB99903FBE332D49BDC5E14C3EE29357BB011000BE605CCC3D94FEB5BC85596DBD8DE83A3EFFEAE03D93BA2F3DB0A870BD917F0CBE607F0F3D1BDAFE3D5A20A93C0BC9C93D6B62213EB7824CBD52A9C8BD637A543D1879F53C9F057F3CDB8A0C3E0B76D0BBA148C93DBEB93DBD03E25FBD9DC4D63DC3361CBDF573073DEE0CB63BC3CF57BB1FB5383D0C581DBDD73916BEE04DCFBDCDFC78BDD30A5D3E2F6B2D3D785CEE3B67E98CBD0799B5BC3671B4BE6044E03DCE9CBBBBCAC0EABB2A61503DEBB3D03D5E02A03C56992EBDDCC001BD871B1D3CA232D53B8FD5C33B939DECBD53FE38BDDFEB253D35D515BE5BC7C4BDC7BA533E4F25E0BD13886E3DF3F8CE3DF3DB10BDF287E5BD8F07013D35DF7CBC8C2D403D679AFB3D3FF78CBABA02DE3C0FB425BDFA4AC4BD1971B4BDD9E8A73CB7CBFFBD071BA2BDE641233E0B1D913D48E05DBD844D143D40B5183E72C27E3C070F85BD059E3CBDAE2A30BEE25F30BEF31BA53CE986BF3CF9D9A2BC0BE4073E25782CBDEFD4713DDBEDFC3D3BD2A6BD533CE03DC1A64ABD17CE8A3D8A45F43CAC3C393EC586D8BDF353163CDFD17C3D2751AB3C6DB5793D1866D6BD69D43BBC124F573D459D263EA3B515BE47A84EBD7F153BBD35100CBCA6228ABC7D134CBC26BD91BDEA88A53DC73303BD0A71CF3DE121283E976302BED9CCAFBD4F3F593DADAAE13D188B5DBCA2B68DBBA55DF8BD985DDFBD338D1E3EFABBC5BCC2E90F3EA55732BDBB219F3D323D15BEFB7D5B3E7C0512BE579CE6BE0D19D4BBDA33353D4D8F503CCD4B73BD2FA2DC3DBADFD4BDF2E5F63DCD38E2BD2A53843D884BF0BCF758F2BD152EE33C7A4752BDF853683DF5DCFC3D2C14043E417E1A3EE07AF4BD630A01BE767C4CBD9D2182BDDA346EBEE574853D7048B8BDCF251F3D1A78AEBD19BCCABCFF1022BE4D374FBCE7B828BD67E1723CBAE46ABCC2B1653D42A5FF3D928A6BBCD58161BC170CEABD1D63A2BD2741663C476C0F3EF577DD3D7F61233D833442BE956755BD07C6943DE5BF61BCDBE59D3C59E1823D3B101C3E580B123E30410DBC8D7BA23DF45D813D17A06BBDDB0D92BC3831073E9D0CA1BD49C51FBEDFB31DBDC39AA3BD005B113DA2E3F6BDB20A8C3D318926BEE3F8F93CF931C7BDA2B7233C7673023EF2CC0D3E9C72243E51480FBE9FC1D63BC10DA0BE8E8390BB8D4A44BDF041993DCBF21EBE800015BD577BC9BDE3C716BECD46F03B07A9C5BCD2D3EA3D11D593BAD5A3DABD69811B3DEB00ACBDE2FD4DBAC9E9ACBD4C09A33D0F7B643CEA68B63DA3A353BEE28C00BE32CB523D43A1AFBA74CC1CBE4717DBBC856B283D75FB7BBDBF361C3D2CDE413EE7E3303DE9E2343D1A4CABBD99B132BD72BA253DAD1287BDB2A3D63D4553163D7B99BDBCD3B4A83D126BAB3D0A6C053E39690E3C425CC43D97216DBD1F04AA3C17B8153EBA22CF3DC90D263D17C1C03B2C7A433DE4429ABC74D8903D0B7C143ED20503BE9D75D2BBD02EF93D4FEB26BD63159C3DA5E68EBC43C2F4BC284117BDA3AB7F3D08B659BCD1279B3C1D3A49BD4F7DB13C60DB07BD9F91BF3D2FFAB3BB0EE01C3EEBEF633DFE670EBE77C54B3DEED6ABBBCB353BBE493E413E15BC82BCA9F633BE92264C3E9090E0BB2BFF11BE77CD103D377900BD2AA849BECAE6E33C9D19E03CDBE0BBBD"> : tensor<768xf32> to memref<768xf32>
    %27 = loop.constant dense<"0xB0A564BDAF70C2BDF65FC63DCE110E3E498A1C3D156426BE8342D23D78500A3E0B12853D03E23B3E7791AA3D379DC5BCABEAA6B9B3C264BC7B6AE73D938A7D3B908B033EF7B8103E6A09E2BDA71C243EB7A4A83D3E73A73DF70E3C3E9A54EBBD63F73F3CCBA3863D2F1B2CBECDF776BD43250D3EAC5841BEA8F1ACBCB37FDCBC9BCFA63D6253FE3DD63A173DAD939DBDC107863D95C94E3D43CE113E37600B3E97A708BE395BC93DBB4EA33D1099D3BA6D276EBED73BF5BD969B9F3DC1E3C5BCC7CD1CBD1FB03ABE792100BBFB2D74BDA30D953D8F51BABD30DE44BE43E383BBAF89E5BC48300BBEE7738E3DC7C9053D0BB1BCBCA27D98BCA53B793D6608A43D33C2E7BD4416C8BDF5BBF23CCA1F623C474E83BE1ABFC33DEF6544BDCCEFCB3CFBA5A53D165A193D87600EBE80556D3DED086EBC5B5294BD6981153EEDDF09BE1280303DF72405BEE992463C5F725F3CB5DBF03D2C881DBDBF83D4BD97A593BD1DB7E0BC10EA4ABD9B591F3ED0218CBD4F2EB83C905780BD286CD3BD8ACE97BDC3721EBD7DAA363E380AC13D332037BE4604B93D8B271DBD4329E83DB01FEDBC9753963C500A4C3E132C9F3D9BE6A93CEB0AB7BB205CCEBC9AB3F6BDD2D0E43CFDC3CDBC831120BC45A776BBD1FD81BC38F257BD9BC9DEBDE81E96BD1E12C43D4E9C3B3E1880883D7E7A2FBCEE5BA2BD74253E3DCECCA9BDA3DF8BBC1B54713D5DC4B63DC744A4BD47BB6EBE17E8B13DBE2C2EBBDCFE15BE20D255BD237B3A3DEB20043E0189083D22E0D3BDC5B2F63DBF9133BD32E1E7BDA3CC953D813681BCCF88BA3D07DA9E3CB6AF1C3CFF15FDBDD70B7C3C77F1833E9B39A63CB645193DB45429BEA57C1BBEBAAF3F3A52E2F7BDAAAEAC3DBF9A2FBD599BABBDFA4DECBB7F6866BECAFFD1BD07B8ACBDB7BE2CBD9321B6BD48C10E3DE5F4E3BC78ED52BD23ECDABDD3703F3D9A2DDFBD0CE91EBD8477CBBD841F23BD85D5CB3CF06C683D9F0B46BDB4D6C7BD6B4FFB3C6AB4BF3D266391BD65655CBEA69A183DF13EC93D8458103DBE3B38BEBF7C9CBD709237BE671D5ABEB08E37BC961A13BD7BAC0BBEEFAB1CBECF95CCBC322BFABDA10A413D1DE25ABD0DCA2A3D3F50833D1BA386BED7670DBC6E20223E8016B7BDF34FC5BD920C50BEAC94C5BD97C102BDE7795E3E58F80B3DA370A23CC8F6E9BC66F7B53CFD0EFFBC837772BB8BB982BD1FD2C7BC7CA33C3EEB8D65BDC30380BD9EF20ABDBA80203EE26236BEAF5390BD9C90CC3D710ABC3D94A3A7BC7BD2E43DC54821BDF2FD333E71151F3E334A783D8982A83DD9259DBD0F90D33D1FD5DE3D313422BE037F043E73FEADBD38AB78BD58B6253DA77F293D25C5D9BDBB61183D324A083D29E9053D4A7E603D6251543E93D9AA3DC3E75EBEE4872CBEDFFD1A3D52E6D63D2FF192BD8B30B93D379502BDEA0C023DDCAF193EF7128D3AA38A753DF1C194BA650DFCBDE2BAE7BDAB6ACCBCAFAC6B3D9F08483D5082FEBCDB205FBEB77A81BA7B74ECBD49643A3D795CB23C2BAB1B3E7A45BB3CA822E4BD875585BD6D42A0BA8755E03B39FDB1BDEBEA053DD3D7B23D962D913B005D2ABD670738BD43FC37BE13785F3D3001F9BDEA964DBDFD94F23DBCBE8EBC56AFBCBD4D560E3C1F9730BE46302ABE0F0ABCBD7B8DAB3D9A0120BE981B33BDFA61CA3B5B80C1BD0F850D3E976269BD450CDBBDF8F6413C33D3273E88DBEE3D9F4C7F3D9762A8BDCBFE51BD0BC9973BBEB63DBD557C1A3E413F3A3EFBC1DF3D7095593EF8226F3C1778F33D021D533DE026453E540B203E75CFF03B663A25BEABB2D4BD77BB10BE83B8ADBDCB3F5CBD42E5E7BCDC4F183B11D90ABDD85C37BE3913953E7DD245BEFA34B53D6AEA69BDDB0A3A3E6A08A7BD0107BC3C40C2D03D9083823C3FF5013CFB365CBCD771023E6B24D83B506480BD7B050F3D402426BD7651B83DB8B974BBB081183D7D6DB43DCDD29FBD5F952C3DFD82EBBDB3E096BDA75E2B3A8AF76A3C43A304BDE35D5E3D18C402BE6187383E1F7D79BDA8ACE03C236EE73D3698133E9C6C09BB4BF4C83CB1CAA8BC4879843DD9DACB3D570A7EBD543C143CF44EBABD477AAD3DF0BECABC3A9499BC44A703BD5BFDCC3DA8915F3D801EC1BCB08AB5BD86CA973D1AD6CDBC139B0B3E8B2535BEDB0E52BD42535D3DA5E670BE8559CFBD92B3483D69BE9CBC02E7FABDFB65B23BA517533E527D1E3E68D7D73DD89DE8BC1FE0C03D05BA7F3D2F609CBC2F2050BD819E2DBE2373A8BCF5D60F3DB8D50ABD8C93B53C4002573E41D32BBEA7262E3B8873A0BD44031E3CE6C7843E0E1044BE6A473D3E0D27633D594F0E3C0FAD05BBC154453BF3E1303E6379DBBD53E9FCBDE36849BE938D863C1BA4F63DF1678D3D088F513D4022F83D977758BCF826073E6A662ABE77AC3DBD0A4E07390FCAEBBD9DD1BC3DE3C44A3DF5DC4EBB131611BE371E14BDF2DE103EAF0C773BB40DAF3DE8E321BE822DF13C1BA70D3D50276B3CD62708BE880A58BDA9B102BEEC5529BD8274743A2321F93DA15F8D3DA3D986BC3ECF203E78D9883C4018B13DDDFD42BCCE044C3DDB10CDBCF886963BD77ACEBBF2E8043E9859F53C0F83F3BDBF7A1E3C0A170BBE2F989EBD1B9A103D76F3953D1BD19CBDD3D982BDC23691BC7CBC083E3E868C3D5F821CBED2136F3DA632973DA876D639598401BE2EDD39BC42FBC83CC83566BD1831D63D5E8F98BD4DB8873BD2C23E3BC3D6993D1F161DBE4DD85F3EEBEAB1BD8BE109BEFA092D3EE0EE92BD45377D3B13940F3E8B6E6B3EA874EB3D8B074B3CE8966C3D44BB873D3651493DB34C433EC17E1FBE3F3FEFBC17E6373D4A976E3DFA867EBDE46140BD3A8E58BE67E00A3E12FA223D0BEB8F3CB067733DC3E3A0BD59DB00BE643A14BE643649BE60C15A3DE0345E3E2B934BBE2FBCCF3D52FAECBD8832983CA3BDA43DB392933D71003B3DF304DA3D4D45E4BD37A396BDEB4588BDAAEC173EA2F6633D066F29BEA52D92BDBF9DEBBCEA2DECBD9F193EBD984555BD6BA2B7BDEB789E3D83B4953DB546D73C1BED893C7355603E3014D0BB2A061DBD1DE2E43D4241DF3D8C7B283E265F903DEC3D413EBD38FABDD107803C7B9E9A3BB719FDBCAF99E8BD9D7B1FBDADA206BE3BA013BC1A34133ECA6911BD4776533DEAFA18BC33FE51BE0BAE64BD8D5A033E165F963C7346F73DA82877BD6E82AD3D7000E3BDD251EFBD05B3513D5FA5B03D8702113DD2E3223EC7054A3E151BCE3D932A44BC8779143CCB801EBEE7C5C6BD8FA8833DA88B043EDE3C453D5DA0903DF75794BD2F4A1DBE90F4BCBDE8DE1FBDBABB5E3D24962FBD277391BD5D86BE3B28B245B8CEEE0E3E6FBEC0BDDDD8E9BD9328E1BD7F88833C4A4DCBBD930A2FBE7E960EBC6342A4BC6B824A3D2F81AABDDA31B7BDB02FF83D6AD2833DCBB5DDBD420F8C3DEA804FBDCAB22E3C4046D23D259B893D97CCC5BC440B043BA429313E4817D4BCE9A915BE816EAABC3BD8FBBDE3ABE93C4FDA8BBDEF21203A0B00DFBC6304043E966A32BD97FA5CBD97B89FBD40B2783DE6F3473DC0E5573D25E6CBBC4A07D2BB0B78463DB7CAE03DC5815B3EC792003E054DF3BC5C5CC7BDD5215ABEDBFA1D3E6DD63EBD234616BE158AA13DB8949EBCA82729BEC02B3D3D8A9A593CB1F03EBD504DFF3BE3FBC73D1297B8BD3768C3BC9D3A10BCA0FF1DBEE23AE03CE288DBBDE0F6113EDB6A82BE7E3093BDE359863D2BDD933D85DFFC3C0452BCBDF852F03D7E958F3C2B7E013EB3A82FBEEB4D223D532D18BD973A013E3FBFAF3DD6D808BE48E08EBDFF13E0BBC3052FBD5D1FE93D134E90BDF23FB8BD3FE413BAEEB510BE87B0153EB0BED8BC7F5CA7BDDD2FD1BC53CA033E331BA9BDD694CC3D736B193D3A0559BDBFFB6C3B6B8A0D3CCA3973BCDD72D7BDC577DF3C7FE2853DDE96313E1403363C822B80BDECBA113E9ACD793D9FA0033E7729B33DAB06E43B3DBBE6BD18F9E7BD9739143CDB40E3BDB3A70F3CDB9BBABDBB20663ED996B4BC7972853E97F91B3EB3391DBE7C109E3D8B0E11BE954EE83B53652B3DFF23053EB24962BD03A8713E3DC35E3DF52A523EB7FBE0BD9DACD0BD8DDC1EBDC090333D709ABB3DA98E023EE5FFF53DEB93D0BDB4DD35BE1C4C81BDB0626F3DB6AAB9BD3937043EB22BD9BD8BF4CEBDFD311CBCA2CC4FBCCBCE0D3E659FC83DA4F9423B7AFC4DBC27FD34BC3D8D55BE93A373BDD77731BBD66D4ABE1A0C963D3082D53CE126173E4FA9713DCDEF433D9FB9643DED32C3BDEB765BBE4936A03D590F9ABC6311A83D67DFA83B8FAC2DBD4812DDBD8D760DBDB35E1C3D57A0D9BC406905BE"> : tensor<768xf32> to memref<768xf32>
    %28 = loop.constant dense<"0x5363F13CC0CE8EBDDD3E72BEBD0D8FBDA12C383ED7B7B93D6AA48ABD4AF7803DBAEC70BDCB5F93BB92C0393E934DB3BC005C103EA5CB0EBDD5D78A3D35C7DABC3E7C4C3E994CC1391875D83DBAAD8CBD1FAA433BFF27FDBD5BBF2D3E33E01C3E5833153E9BAB7CBD62285F3ECA18D3BD176C4EBE258509BCB8E5723DB16EA6BEC20BEABD40CDFE3D4E93C7BB807B51BDE02F59BD1360A6BC412CACBDCFD2FB3D3B4FD8BC7C850C3EC50156BDCC7C383E70DF0B3E538C273E57B6D83C2E4A2EBDEFF02EBD76248EBD03BF1C3D1C890D3EB3B2033EFAA22CBDB28FC5BC5205863C708C24BE3621233D320D27BE8735E4BD0D775F3D0540F1BC3B43BDBC7B06BDBDF1EEA13DE7280EBD93168CBDCF4E643DAF2752BDC862F7BCDBB5C43DF824D53D1CA438BE753658BD0FF026BD689268BD2C0EC13D7D35A6BD73E890BC38B64D3DD22EB93D35CCEBBD06E30EBEF3622ABEEF2B5EBEC7F71BBD2FBE0D3E9BF8763D7F7D4DBCAFBE273E32B0D83DA727EBBD229D43BE77C1BEBD1DBD5D3B5A4F3BBD83CB18BCF37942BCF8A211BCE334DBBC22778FBCA03CC63D86CCA63D85B44DBD1A6AED3D57C27CBE8B19D93DE38E36BED14D9B3D0D0E953D8AE40FBEA60927BDCBB94F3E07C7293EE8B588BCEBEA803E70DE64BD7079213B617487BD15F369BD2F86D1BC81DF2A3C658AD13D4E8E153E14A50D3CEAED01BD300762BD0E56073EF9ABB73C5B2CE43CB888EA3D345C1C3D37DA1CBE47ABD8BD533F363E924A06BE5BED6FBDF243B7BDE30965BE5F71DF3D8097563EF99A27BD16C3103E2CB6233D16F2213D87D479BD389336BED8121D3EC37447BD2BDE933C7F43DABC906B763D5EA0063CA5AA8E3DC2FEEF3D05B515BE3F5F03BDA8C86B3D729C5A3D433C38BEFF39F33DD7831DBE203C1CBD7038143EE4F8ABBD1BC390BD08ECDF3D5452C03D1F7C54BD6B26D4BD0A5F50BD5250683EFF6024BE63AB6D3E00EBEC3C45F3433D5C66243E4B67F83DB9BC153E2D7E21BE769CBCBDB6A897BD0131173B1F72DBBD756DB5BD2715A6BD275C1F3D2995BFBDCE0FBEBD3CDCC03C894A9D3CD493483DB8F5EBBC3A2F9FBDFE83B63DE5AFBC3C93B232BC6B24203DE3B015BECBE47EBC5207EDBDF385873DDAE10D3D993522BD2DA2A6BD3B10B23D282440BEF35F8E3A68C2993CEF93BA3C828C133E254FB9BD7225CBBD78E2B73D8700953D18F1B03C814B8A3D5BE6F03C27D72D3E8B0F643EC23CBA3D80923DBEDA81743D0B4A333DB87BDEBD8BB70D3EFFF690BC10C0253DC1A6813B631088BD9D0B6DBD6FBB1B3C7B449DBD766947BED84E21BE9DFC0C3E7BB178BC149F03BEC2B4D5BC9A32F2BD93B900BEEF5B853C5061173E47D5243E17F09EBBC7C0973DCBB0693ED8F22BBE7D209B3CB98A8E3DBBC452BDB8011EBDB9BB1B3D3ABC323DEF1B1BBEEDA3E13D175FBA3B452A5F3D24B8A03D733FA5BDA22AC7BD7B5C5DBE46343FBE1A1F99BDB154C63CFF2F07BEF52C05BE87B883BDBFF3073E073AB13D7732F2BCED9359BD6EF91C3EB5A46D3D4108C2BDD6B32E3D377E293DC7FFC03DAF173E3CEB8C07BE7FDDDC3BA89803BD5292633DF34D113D86118BBD7B2D8F3D949E11BE497230BEE23FF03CB5A5563D45EA9EBD900C583EF3D9303D40B9703D74CD3EBEB044663DD02C6E3E1B78CA3DB583D63C7F67263DDBE4763E58DAE03C3840AC3D71A71B3EB0A16D3D58F046BD03002B3ECFEE373DC38EB3BD518A85BD43095E3D9741163DAAB5A33DC442833D02E4173E37C252BD1B61C4BB52167D3DC2A49F3C204FEFBD93639E3C2BA7BCBD553BB6BD3CC8193E87220F3EFC50113D8C65443DAC4DC6BD534ADA3BBB10C63DD2B8FBBB27AA033EA03DDE3C1C22AE3DD87BAE3D1C8890BD57BF413D8567E33AEB6BD2BDE526D9BB134A303EAD8C4FBD3BB8333DDDB095BD3BF1E13DF4751FBD857D60BD5AE3473E14562BBDFD58473D22C2773D392EBE3B207E9B3D5AA491BDEA34B0BD82161ABE92392A3E2EC9BCBA9369863DA2281B3E03281A3E1779EABC5C740DBEF28A81BD72CB28BD6BCB013D8070E7BCCACBAF3DA6F799BDEDE64D3C6F7BE53CB8CDA8BDBC2DA6BDF41BB33C5DFCF53C6DCC7CBDAE4911BD0EE5CBBBC24477BCD47E8B3DF0089A3D078238BDDD733ABE7D8C8C3DA596A73C6370173EB944043EE21163BEA3A2BF3D421CF3BCD0D1C0BE073A7FBCAA54F43DC7BE093E1DD2BB3DAF89BEBCBB359F3D2E30163C5244323E45B0913DB09C893D6384C13DF65B05BEA585B0BD6B3BA83C0A932FBDAF60F8BCF9CF953DFC3F113DE73BF43C95E81E3C73560F3EB730B9BDEE84BB3C555FD93D507B3B3DA3ABA0BD72D2EF3D577EA93C79F32CBCBB371C3DB7F9023D5554903D1385F13B7B4AF43CA2016A3DF45A29BD0391AC3D035707BD9745233BAB822A3D023C3ABD5AAE323E840B94BDB224FEBB344FB7BB3F99D9BD159856BD724C88BD61AA02BD290E02BD2908043D2BB6D13C02C6863D204057BD90B8AEBDFBCA86BE71DFA03DF33BEDBDD34B7E3DD19A1E3BD7D78BBD0B47AABC9314B53C5283623DF8BE51BE3D6BCFBB422A383D53FE07BEFF77263E41D3C8BD2580DCBD6DE050BDB4640C3DBB9C4C3D4DA9F1BDFDE1843E5F98FBBD2DD4F83BC785773D7D89873DA0B375BC5540D33D1F4B733DB8ED203D84F302BEAA3AA9BD7D655D3DFBFA7F3E06ACB63D4D27B2BC88C824BE077033BE575442BE1F6FB23D10BAEDBD334A3A3EB70F23BE2EF48FBE20BCC1BB9A88DBBC84E3163EE68E06BD0B1DE03ABD4D8DBD8A29E43D53AA2A3DFDAB833DA29D91BE7B6627BE2AA951BE0EA7B4BC6B64E6BDF3E41FBD788119BDA7D6F4BD62B9A0BD6B2A0D3ED74150BDC3143D3C5E86333E83CE053C3830FD3D22E5083E3E89A83B6B14393E82A243BD47B0A63D5AF56DBC7E8D23BC97B3F33D9D7A733B6DF77C3D078704BD3FB1193E7FE166BD230A25BDA28750BB2D16CD3CCBDFAEBB698EA5BDC38FE03D6015BA3BAE28023E5FA614BD256B93BC856CD0BDA1C21D3E2F89893DF405853C24C3A23A95ABB53D290C1D3EF12247BDA449813CA7647B3D4022CD3DF338F2BC3B1AD0BD5A2F71BD1DB960BE7BD7BABDA4FFB53DFAA69D3C79D0273C2FBA9A3D2CD189BEF31881BCEA99F63DF2F2613E2A49033D08A3EBBD629E0EBEC33DC9BD7D1461BD10B5D93C461D48BD93FE373DBD4F9C3D3B5B5BBDAF4A2E3EACD628BBBBE04A3D90A24F3E3B1EA73BD857A93DD0C9D73DA28A9DBD1BA5803C77C84EBD08C00CBE1792BFBCEB92F73C5B2DDD3DCBDDC8BD63ED8B3CBDF6E93D7F6A093EB5A033BDE00EA23D0900ADBC6D3FF63D8B353E3E33A37B3DBF1800BE6F4D87BD45EA90BCA7ED64BE9C1C373E2A7BCE3DD3AA74BEDF99CA3D3EE3B0BD35B4F7B9E1E1BF3DBA3CF13D03B9C2BC40BC6BBDBBF76839D67649BC66FCB93D60A6573D0EB6A4BCE5B854BED5C463BED9063DBDF29A6E3DB27B763D0BA8C0BCC6DE8C3D02EC57BD5C3D9DBBA3F046BE45DC42BEE773B7BCD81145BDFD67EF3C1A6485BC93790A3E2847B23C0AFD72BDCB107EBCCDF4823EA8942BBDCB1087BDC652253D0A30DABCDB455BBD84D7123E0ABCC43D68A6323DF541BC3C1578DE3DE162103E22AE5EBDD823813CB881EFBBD2E8B7BDAF07153CBABC133E0AA660BC00E4A23DA881C7BDBD02EABD04D3173E3062CFBDAD63E9BD99F186BD94F9B83DBA10ECBDEC5B1D3EA286D9BD6C29BBBC9007803D282FAABD69DF8ABC2F68613B68101DBE642F29BDE54C7ABD511430BC4BDE293C7EC30EBDA11F0C3E751E523DFA97523CE7D4F3BC5BF691BCCF8953BDC85380BCFDE819BCB0F990BDBCFB3DBDE3AB00BE57ECCB3B20C0A33D10E8623E69B4B53B7662AE3C7871043DB2DF57BD0F4348BD1FE0CA3D6AEFBFBDFF2F83BB81C3133E538EDB3B3B091FBE6E390A3DEC1019BCEA37B83DF495263D78BAADBDD4813F3D005C5C3DDD26D93DBBB33CBE0B31043EFDC35B3DDFA84F3BA3FD683D2B9B973D39433B3DAFCAB9BD1657AABD167C2BBE3F55A8BC5A8743BD158ED73CC540E33D2E97123E1FA1B33DAF252F3D370C3BBDA408083EFA68A4BD416934BCC3E3EC3C772991BD018E2ABDF987823D9255F9BD1FAE00BE7F8188BCAF2A4A3D3D9266BD17DE30BE4BAD1B3E5BEFB63DA30DC3BC9722F7BB25FD82BCC87B2DBDEBBA663DF34937BE07C3293A2075D2BD16A7AC3D7B60163D03C0783EB3D36EBC07E104BEA25722BEF51E78BDEF2D0E3E1283ED3DD77203BD9CE7C8BDEB93483DF70C4A3C63884CBD715C363D9DFEE03D4B9AE13D21B51D3E12FB073E72641EBD8B1FF1BD"> : tensor<768xf32> to memref<768xf32>
    %29 = loop.constant dense<"0x1F6F6E3CAF15D73D73ACA93DF580A3BD6C543CBDBD43CE3D5666A73DB63EBB3A4D87433DA2C43ABEF311153EFE68BEBBB5D66D3DDA9D2EBE65F8733D1FCC3E3D1E6E48BE6CE0013DBB7177BD1A38193E44AF23BE35D1263E9C1598BD0B84563D6335ACBDA8D9243C13F95F3CD7B1B93C5D34D73DBFA3B8BDE6D349BD13FAD13D6061C2BDDE0A033EBEBEC73D54E8AA3D00314C3E54841EBE2C5BAA3C6F3328BD2704A7BD53C396BD19DEC6BD2BFDFA3CB5F553BE9B9444BD5406C9BD71821D3EE761B53D3DA089BD51768F3C0803033D1D44E23DFBF7BDBDFDDDC3BCD73C64BDDD95BD3DE13795BDDD98603E3B57C4BD420390BD561D01BEB4C60C3D529BD83C73D1293E1B16B7BCCF3F07BE70246F3D6DAADFBC2802C33D5FCBCE3D6353A9BD8AAFFABC50D6DBBD9E6218BEE36948BC88AE84BDF421BCBB74992ABEBB749DBDD69F82BE3C1ABDBDCAE1DBBC62759F3CA1130DBE0E28B4BDCAC8FC39656C7CBDC04E3FBC355A66BC7CF5873C4B1FA33D4D5CE5BDD34DA7BDE9A70A3EB3FBEFBD69ED8B3C55AD23BE73516ABE9FB4FA3C330A2EBE0E442ABDC76CA33C6BF9943CF15D9EBEB8661D3E47BB723DE780B0BC4752F83C529FD1BD8D23FD3D1093973DD73D623D8CD7AF3DBBC3553D134831BCA0F2EE3D9F18003E79073E3EF34DCFBC267282BD1D7A633DF376CDBB833CE2BD9ABA503E5DFCDE3C53CDA23C7941423DFFB64A3E18EC8DBD4231423E4A5C673E6279BDBDA74AE73DDF73C23D9046C63DFEB896BD671941BEEB11F83D407BC8BDF71CFD3CCF0E1B3D6269783E6A77663D9D8FD1BCBDE5233EC874913D8DCDD03D339491BD748500BDEE4E11BEEB6D88BEA15920BDE906243D67395E3D9749A63DB1BDC33D42217A3DB306613DB36FB93D33EEB9BC38F9D73C3A4D0DBDEF373BBC272C0BBED3CDF2BD9C75323D93CC6EBC7C38493E8F828DBB55D4ACBC9752A13C1FAA55BDE2A30CBE2038073EBF1DE43DF9B58FBC3288C0BD755D883EE268203EEABA1BBD1873C6BD9B198DBC60727DBD224E993BFA494DBC77811EBBA48AA3BD73BEA4BC8792A1BC8332AB3D752859BDD0EB843BA4F9C93C3BD81CBEDB510ABD234B80BD0E7A37BE5F5ACB3D6CEF083CE8BD7EBDD619BEBBF77B843D87E28B3D7BC5ACBD9DE1DABDCAFDC73D7FDE06BD3BC11BBE5B193C3D2EC90BBC635EDEBC9AE6673DF054C6BC65A82FBE4BBB15BDE8204D3D7F8889BD87E4C0BD2D21DB3D6B303BBD79E7223EEB168D3D03F8D3BDFF4BB33D6B0D3F3D6A93F93D7155A0BCC57C643A9B9241BED0BDF0BDBC17813CAD7D1D3D2798D2BDA991083DC1C3053DA7604FBD4AA9A9BD53B9543E1D5019BEF788EEBCCA40F53C03DC01BE39A4A7BD53934B3D67ED5EBD0F566E3C5014113E0A1F5CBDB5B52D3EC215E4BDCD3DAFBDE5ED573E4709563D5E6C3ABE443AC6BCA4D84BBD2B0DF4BA24ECA63CDFAFBB3DBB72D13D3791A5BBA3F7C9BD26AA053EB6DC143E8BD0B7BDFF0E03BDE34AB53D67DD07BEE33813BEBD5363BC037CA53D1039FC3C9C0E263CC0A0E0BD9721C83D8D80EBBD311D383E2D8A5BBD8B6DFA3D8B055ABC00D646BE6A69883D5A4167BCA8181E3E709516BEEFA7E13D6401143CF5D08ABD4220FBBD43D0A63DFD2EA13D83D5A83D5220603E4070D33C9BF79BBD402EEC3DC400A8BD12D7043DDB3185BDA0AB79BD7840E93DD74DCD3D836443BD508F523EF6A642BCC69B2B3D3B0DFE3D71E0B1BD74F2073E73DE543EDAA16ABDBBDF22BEF3D3CC3D5158833DBD8DD3BC6714B63D5F04AC3DDC7624BDE3CE7EBDC709DCBC17BE97BDF6D4843DBA67903D9B17A13DA9F5873D83C3DEBC0758CCBC35356B3C39F3903C53BF51BC5F98333B1B96A1BD3D097FBD32E4DDBD51CF9CBC3D4DE0BD9BA2ADBD149AB8BD001625BDFAA377BD175C473EDF82F53D1BCB433D76EE96BD1B8CE63CC303943CE933BCBDEB32C2BC0F7AF83D6B7BD73C0113B5BDCA2D3B3C8CC3073E129BEABD4931AC3D53CB4B3C4EDB2D3E80CBFFBCB9DEBB3AC21DC5BD6B4EB83D7DF9783D6B8B9ABD0B39CBBDF099363EE7BEAF3DE108C9BDEC968C3DB7AFED3D272DB43DAD77E93CC23D03BDCA21A8BD97FC7C3C2067E1BD27EE35BDB33FCDBB3756183D637EDE3DA50ED23A13AC8FBD2CCA193D035E433DFDE49A3D32AB5ABEABD812BD655BF3BC94CA2C3ECB8BDB3DB495093EF163823DE3E87A3B59904B3D86CD26BDCCE2043E4DDD383E17F49EBDB7FA613E40D582BDA58EE0BD87FE3ABCC8F4A53C0A32743DFF9F853D269E833BD54BD5BDFA28A5BD20208B3C21691C3D82C287BE8029FA3D8E3CB7BDFADFFFBD0324963DAF1B2CBD167704BEE3C734BDAABDA63C77ABEB3B157F91BD528C623E62DF08BB7E8FBDBD027602BEDBD5123D2AAF713D0BED483DD14992BDA7EB2B3EFB63AF3D2112453DCF61293ECD8E773C6A3E85BD6F8F9A3DEBB194BD6710A93DBC22CC3CD4A5A3BDA310D3BC03C63D3E15C7BA3DFF753B3E8D02D6BCBA54AE3D5B97323ED0C14DBDBD92DA3DF7685FBA7343B23CDF0CB23DC6BA353D63B4B83D445B23BDD59AD9BD3AFE21BD8786553DF295CE3D533777BDBBE227BE0590993C071CDE3DA8E1223C7E3209BD645B833C62E9F03DC14A8C3DE15112BEA3792DBC1F499B3D794D2F3D537700BEFA6459BC2C850B3D3E4B22BDC422883DD0C2FD3CE7D21A3ECB73143D5D39E73DD97F023DB8412F3E4E8F223E8BEFF03C6FC2DD3C5BE8993E455C683D062E803DBF7026BE75ACE7BD2BA04A3D12000BBD4BCA3E3CB099F5BDAB703DBC89C6123D25793ABB2BED11BDE373EDBDBED9883C6B3FFE3DAA9B393C10A80C3C85B804BEE458B63DADBC4FBDA7815F3C2F5DA63C5E10953DC7EF39BE93A2FF3C7BF67FBD8BDA2ABEA3DE613D724816BE0F10FFBD7FB9F7BD343699BDC7E798BCACF3283DF4E6823BF80B9CBDED48E23D2504463EBDEEE9BB706589BCF4CC2DBD8A36B73D8768CCBDD363A33D075F143ED4BD463D0F305F3E336A07BEDAC3793DF800603D41C01A3E1CF9A5BDB34A893D63C7B6BC9009F5BBFDED61BEE512FA3CAB82A7BC43AE09BD14CB9D3DFF0B913C0DF95BBDD32A4B3D1FC2F43C1AA282B914A4A73D620AE13C796BBC3CB3864DBD9B7FA63CFBC7A3BCEF7F09BE92BDDFBD51643E3D7791E1BDD7E6043DE7191BBED1E5B5BDA74CDC3DEFFBD7BC504EB9BC6A2252BD1A752F3C427A903DF69C0FBEADD665BE27C5603C1DDBFBBDDBC0ED3D9A56F73D0742B4BD0403313E1FBAE83D007B55BE4B7F563D69294ABC4C9CB2BDC38C553C53629CBE128E6DBC1724DC3CD75E8A3DDEF2BEBD53C15EBB5BD10B3E4AB657BDBBB4A2BD0127223AB7C1C83C9A19CF3DA163ABBD7A9700BED37F0E3E62F962BCC7BC21BCBD5B3ABD3FE0CBBDE6660C3CCDE046BE46060CBECB35053CE8E2643E9BCAD4BD9B50A0BD974E22BD65D5E9BDBBFE1BBE1FC3FBBCA933053D850B79BEC5E4E5BDA78F963D9723D7BCBFAF06BE62794D3D506B183D97D353BEF28822BEF67A28BC8D44FB3D23E4A63DE2F7503D06B2A6BC61C8213EA0068CBD47F6803D172F96BC6377B5BCD2C0AE3D415A8CBCBF4B283EF083E0BD6F3CACBD517489BCC398953DD2EC0A3E2E300FBE17C38EBDB732E1BB85E48D3D934B1BBDB0ED4F3DCD07F53C0F5AE5BDC7126CBD97E5653DE1DEAF3D17FD203D6FD03CBE5B0630BEEF831ABBBF6F0D3E80D5563B540B16BD3E03313D28D1F5BBA7C1623E5101AA3E45C8E13D8B318C3DE3FF1CBEE22685BC0A8491BD1D62313D15E538BE6D5EDCBC754C11BC62DF26BD5B20A63CDAF66D3EF90FB53C8534E83B5706BEBC4BED2FBD1A105FBD1257D23C69070CBEFCF49DBD383BE5BDFB36FD3DA262513CEF04233D829F3B3D4B75D03B882F32BEE8B2623B0BD90B3E36DF903DD737203EBB6AA93D67F0683C3F4134BE951AD7BD851403BD496524BD25FF29BE0594F03D49A6273C6757E3BB2B8D0F3DC79518BDFB9D91BD473A1D3E1B57B1BD883716BD24F023BD50C3CEBD182D8A3D84B1423E0344353D9327823C4EB64ABDCDCEFF3D0BA9DD3D5220FFBC1CF8CA3D084EAE3B0D33DB3D6FC2A2BD028D25BD5F7A1B3EEFF7E73DAB3ADF3D78512F3D1BE73ABD66052FBDC24D37BDFBE98D3DC553FDBD44DE49BED7ABA13CA504D3BC3B09863DADEEF43C48D8DD3D7CFE81BDDCE2AB3D4571753ECBD5E63CBF5721BD334AEFBC6DEE80BD11BCB7BDE8799ABC20ABD23DDD9B9DBC18205CBD9D626FBC2F6FFDBDDDFFFEBDD7D2AEBCBE6B2CBDE6FF24BD355BA439CF375D3DE479983DDF7FD1BDB580E73D928713BDF79AB9BD39D8443D"> : tensor<768xf32> to memref<768xf32>
    %30 = loop.constant dense<"0x3798813F2BF38A3F93CD8C3F8E0B6C3F38F0663F823C6B3F69C1833FAEED703F40397E3FC649683F908D863FC02C833FA27F723FB3A4863F82616B3F709E743F14A6823F73127B3FADE38F3F5F6E7C3FDE77833F272B7D3F34AD603F2CB5953F8553853F03FB813FDCCF4D3F137E673F4FEB593F4004613FF2D47C3F24A37B3FCCA9853F3DD3803FA165583F4DE3633FF45C4E3FFA2D5E3F2EC44E3FFCA6653F1A79733F977E863F66D7803FC22B823F0D8E613FEBD27E3FC3F3803FCB568D3F260E893F92D39C3F6B0A893FCE32803FC610873FA3908A3F8ADF933FC74F733F4B21593F10AD6F3F8259933F3404993F3FF0923F11F06F3FDC39773F9614833F2DBB643F3E316E3F7E89913FA6F96E3F3C97823F98946E3FCD9C643F7E6E8E3FAC39833F2396813F651F653FF52D6B3F022E813F2A90803FB234743FA540813FB01A873F5E62743FD93D743FDAF6813FC3BA933FE861723F02E5863F27465D3F7BC26A3FCEDD863F066C6A3F98A0793FC924803FF6E38B3F426E7C3F8495923F9BE1723FDBA7683FAA24753F0B9E5D3F038D9D3FA425723FBC707C3F41457C3FB1CD753F0C19723F13199F3F85C4863FF646953F8B38963F190B6E3F8E5D873F51D0523FF34D613F2EBB833F3DE3763FD733813F1E65863FEC49863FE541863F3EEC5C3F7592803FF025753FCD1D6A3F7CF88C3FC7BB4C3FB05E863F2163853F67936F3F0D6D903F6277803F7B2B853F173B633F2164663FC095803FA6FE8C3F3A9D783F04948E3FC2C7863F45098F3FCDF2743F05177A3F04A2733FE0F7833F5C05653F29F46D3FC0B28B3F6897993FC39D7A3F0E81753F9D54703F850A8D3F84AF713F3FFD8E3F972F873FCCB0713FE078893F0325823FD8ED533FDCFA7A3FAAEB843F1B7A813FC08E8F3FDCDE853FD3558F3F77A3793F065F8E3F8C8D503F2C0C623F52BF893F05E5963F4E087D3F1AAA833F393C7B3FE56B873F3C31803FDDA4893F3BF2823F64DC9F3FED94683FE285863F8F5D873FE2A67C3F448F623FED15583F22457A3F2F2B463FE338893FD850853F07D0853FD15F5E3F1959853FC2957C3F37D16A3FB1CB873F144E813FBDFD7B3F1EBB6B3F46118E3FCD398B3F7DF3903F3E196A3FDBCA883FD032613F6B448F3F24C97E3FEC1E913F66A77C3FD74B713FB475813F8081653FCB9A7D3F0A92553F63328E3FF65F853F1FD76A3F15786A3FD7A2653F9C1F503F7442593F6161893F29FA893F0F29883FB8188E3F84FF7F3F09EA5D3F3DB38B3F40898E3FF4C6823F5D5E6F3F6F3A7D3F6B215E3F6BA3813F2F04663FAF586E3FEE7B953F70A9823F59BC6F3F992A793F0F18923FC6B3943F4DE4753F74555A3F65C5753FAD708F3F2D05893F8ADD903FACC37D3F9061903FB7B27C3F564F933FE31D773FDD3D7B3F3125853F471E583F750B853F8DDA883F9D11643FAF755E3F449C7F3F0D257B3F54AF913F143F853FBDFC6C3F23167C3F2510843F4551423F0EE3823FDD4B823F095E513FC487763F6293663F7C637D3F3A9F803FEC1F8F3F8C247C3F2268593F72D0823FB620663FB56A7D3F861F753F55B5913F244B903F5C818A3F317F863F80FF883FA92A693FCD308B3FFD3E913F60AB523FED525F3FAC6C883F43BC863F62D7653FEA2F7E3FC789883F93FD923F5E8D723F835A663F11DB853FE31E8E3F1E3F553F0D33873F2A1A783FFA7F873FC030793FB5D2683F0298863F03E6733FFD37703F3A9A8D3F3478563F7E3E643F051C7E3F112C863FE70B953F95A48A3F4A9D4C3F5E41653FAD5E913FF6D4893F73E75C3FBEB98B3FF8B5643F8AC2843FCBE5853FAB1A8D3FAAE07A3F2918853FB603663F7BC27B3F7931713F8BD4683FA9FC663F0FBC8A3F30D9833FC009803F3423783F3391743FD9AF6A3FA91C833F08FC663F9AD09C3FEB378A3F6A3C7E3F01C3803F5749843F2373843F05926D3F87B6863FC67E893F1344893FF851863F7F11823F37D6883F2AF85F3F51EB543FCE7C9B3F2BEA843FCD606D3F20138A3F23B6803F67A2863F021A8D3FA77C803F885C9D3FEDEA873F93466F3F2A8B793FEA07823FBAF07E3F192A8E3F6A6F823F8D619B3FC89B523FBF2C7C3F24A39A3FFA49913F3E0A8F3F06F95D3F3F09883FE28E743FC3918D3FD592833F23D0643FE08F8A3F5DC4803F7C67483FB5638B3F01228E3F44E3993FCA808C3F88DF4C3FF9C0633FC1DE743F1634793F8E6C983FBF06623F05776C3F12B9863F84C08F3F36F4773FFC72733FBE03873FD7723B3F7B4D853F82FE823FC8467A3FE815983F392D763FFB3F953F76B1883FE2AE5F3FF7F2733F10E3963FEAA35C3F26279A3F7F26813F5B8E7B3FEA36953FB6EE8F3FE1346F3F7409703F0A74783F30B06E3F91B4613F97578D3FC296853FD727893F52ED5B3F8CB3823F47F25C3FFF70813FF676793FC0597E3FA8FD7E3F5697543F055B803F1965623F64C6813F19C88B3FA0B3993F96E3813F0E4A953FE9CA883FC0A07A3F96337A3F4F836A3FC3A1613F86F5713FA766823F17B7893FDF3F803FAB5C653F13DE7E3FFA2C603F7D467F3FC031903F1601813FB77A923FA0BF803FF6A0833F50928E3F16318C3FD02C753FDC16803F802E793F348A7C3F818A653FB2D7863FE2BB3D3FEA11823F9E136A3F18BF613F4C37943F67DC543F0A66943F7CA18C3FED0B8E3FF416763FFAC2803FAB3A4F3FCE16793F9EE7533F70DD8C3FF236773F2BCA713F63E8823FC07D803F78F4963FD4DE543F366C8C3FB1B75D3F3F207D3FD073573FE4426E3F0FAF8A3F1767623FFBC8843FBE717C3F72026C3F0493843FD005913F27E8713FBA71573F61E2683FEE99823FB07B8D3FC8F4A13F4D3D6A3F60A0803FEC968D3F3E05753F7E318B3F6D0B883F1F4B743FD666803F57B38F3F08BC8F3F1E9D5C3F83FB823F505B723F0CCE7E3F4825963F3A897A3F36B36C3F76097A3FFB65833FA317923F075C7D3F2236583F458B863FC5676A3F1532803F4F078E3F7AA48F3FD988813F55A58B3FEA346B3FA3367C3F2E64743F1FBB923F921D6E3FACA27E3F27F5863F6E047E3F0752783FA211803F3A196A3F21F1A13F49FE763F9111883F7CF5813FA1408A3F86006F3F6036823FCEF68C3F6401883F7B84923F49945E3F86516A3F94A15F3FFB95893FDA98563F83315C3F787C713F7E91573FB8AA953F51FD803F9B51513F6105923F1A04713FB479863F4EF76F3F7381843FDD3A773F8001823F4E06543F68798F3F2450703F990D853F614B923FA121933FE06D8E3F920C813F0D8A543FCEF28D3F56E44F3FAE705A3F2D13763F27E7473F90836D3F20C5613F764F5F3F47C46C3F8A9E833FA325683F99DB493FCBD4773F34CE583F41E3813F085E5C3FBA0D793F8F1C883F9BD5853FFE8A713F04C0963F68BD7E3FC7A16F3F3035553F2BD1983F04B6813F6363813FE05B6E3F38FE683FB8366D3F5774803F995A893F66488D3F22867F3F91998C3FDC0D893FDEA9813FEBB67D3F7E897B3FEBC04C3FBB09663F013F803F809B8F3F1FEE6B3FB8DE963FB159733F6AB6813FF512883FB5A4553FB7DE793F6582733FF3BE8C3FC0B5643F6595683FECDA893F4CD29D3F122B8A3FFC6F873FA2F9613F9DA7923F7F8A803F68F57F3FD7277E3FF30C633FB3CD7F3F8B2B993F9488373F998F8C3F4A3A883F8D3E883FD681903F33248F3F43C0553FF1CB753F4484623F69F9813FBAF0683F7778873F5D34A23FA672823F34938D3FB822913FF499803FC3046B3FEBAE7A3FDE15743F526A763F61CB7E3FB29A663FF7A7823FA6067B3F0A39833F49A6843FF8827B3F5EDB613F0038793F38787C3FA3B3583F2AD5833F21C5743FBC65903F4A699D3F6A5F833F07DE673FE85F3F3F879A743FC1377B3F17D28F3FC9499E3FCB3C613F0BBB8D3F2C35813F0EBA6E3F4A7D543F4CAA813F20708D3FFEC17F3F5C3F933FEA47A53F38604A3F759A6E3F44F97D3F96CF5D3F56FD753FCC03943FF22A8D3F263B843FA414773F6116933F89D6823FBF85A53FCDF57A3F40D1843F1517853F33824F3F906A6F3F8E67843F04857A3F7D2E813FEF23763F9CBA883FC401753F4B538E3FAADF803F2DD2763F5E828C3F0F2C703F505A683F0F1D6E3F44228C3FEA018F3F020E6C3FD53F843FD72F6B3FB228883FCA72723FDBF88C3F9D94783F0E9A893FABD9693FBCD4593F2130813F356B7D3FAB968E3FEAA58B3FABC1763FED846E3F086B713F9EBE803F59677E3FAE5A8D3F9248813F3C19903FFCA8873F51876A3FBC9F753FEF695B3FF087863F3D84903FFEE65C3F67EC6D3F4F9D733F"> : tensor<768xf32> to memref<768xf32>
    %31 = loop.constant dense<"0x9DB4E4BD57F513BD156583BCB940CBBD37B90D3E88E5B83DAAC75D3D20440EBE235B7FBDF232E43DB3A02FBDBBD5E7BD05C306BE6096DCBD94B51A3D6D87353CDD637DBD60485E3EC00FEBBD74942ABDBB06A9BC9BF75FBD5B9A91BC8DC7CCBD3F929DBD0327703C53ABE43C2B9695BC475650BD37D84B3EBAD1D1BC2896173EE29ABEBD933CAD3DAC678EBD2F81563EA76388BC1743B2BABAB438BE58C26CBD48DF0F3EDB5A81BD9090653C828E0BBDD368083E5F6F823DD0D21CBE1FDFAA3D5BE4703DABA2363E3A8C96BDA112B23C4EEB903DD737BE3D5D2D073E45D6303E23569FBD1009243D96AC2FBCAB13D63DC0B9DFBD1A2B123E25A500BE93292F3C796B40BEB41F2DBC32F53E3EBF48FDBD5E05133E9ACBD5BDAD2F623C825970BC58CA73BE3E7EABBC4B60AFBD1C40BA3C6510AABCB00597BC3EB5163E5FD37C3DD91C2EBE88C7E23CAE95BEBC789FF2BD23D801BE384A44BC22A45DBD8B7B413D52E8DDBDEBB56A3E962A41BEF0CFE7BDF21A473D68842CBEA7A6AABD0885C0BB23AD70BE671CD23DEAA0493EEF3F863E341A1B3E3532D0BC0BAA2FBE35263E3DA70C0C3E9F83A63CEC4FB23CAF612D3C0F54993D419C133EDB69C63AEB3295BD63B2E73D1E3617BE67E100BE8FAE40BE17108BBD5010C93D012F953D64B2393D073CEDBD5328EE3DEB74E2BD4A4F1B3C6B53ED3C32EE663D6F9636BC322D8EBD3F5D9A3D504AE93DBB1A3FBD9F3F30BEBC2A163D7B55F9BDDB3A423D54600FBE6711B9BDFA95D1BD0D0889BDC780933BA37FC5BDBB152FBC15289D3DE06CDBBD5860D0BCE75118BEE3E8CCBCC0BB323EDAE88A3DC0250CBD3E593D3EB55AD13C1B3719BDFFF44DBDC2687DBD6A241E3E0A8918BEB0804D3DF30E96BD84FDA2BD92FAFCBBB08247BD8B5800BC5733B63CD39625BCDA9D503D4F9B1FBDF663C63D0378CDBC785F51BD17D00D3D6D7A9A3CDB92CCBD250ACEBD9A31EA3D3FF7A7BD725FE03D1D51F7BCCF69273E22745FBC0723D9BD43DFC23DCB042FBE854D2BBE883BC7BD6BEB283D5F7AA2BDA3E678BCDACC2A3E50E82FBE7B9C9EBD5301003DE74E9EBD870C06BECF5BD03DCA26E93DB2FF15BD106605BE5358853DB085BD3D6A91EEBC1E6E2D3DF01711BE5CC13E3DFF5534BE18DECFBD0CF006BEEBC5FE3C2B8070BE168F12BE77BE5DBD7B47A5BD6EAD103ECE1C9C3CA3CB61BD308424BD9EEF07BEFB682DBEA81B733E094FAEBDF54147BD0C9DBFBDB574D3BD99D305BEAFDEE63C83A853BE9F3D95BD8D24893D982F753DE221343D5393AABD321C0F3EED76BBBBEF9FA63BEB3AC6BD2FA1823D1B3095BD5426BF3C2BF2643DFA5459BDCDF0D73CE35E523E883537BCB72C043ED5A150BE271C0B3E0D53DDBC82FDE73D370DCCBC0A4DF33D22F4A93D232D393E5D7ED23B37E4C8BD08AB3E3E804FA93D23FDCB3D6324653E4B6F7DBED350FD3D5F55133C8FD8073EFDDDE53D8FE04B3C7F1103BECCA0803DBA5399BD6BFE8BBD2E42CA3D1AEF553C6A0CBABD27ABC53DEABBC4BDB7F1673DFB53543DABA4473E30DF883CEFDF663D7DF3413D8D924ABC5887F1BDE7B3A9BDFFCA8ABDA13204BD7F08813D441085BD44BE28BE10CA193E3D6DFE3CB7DC15BD083CD1BDD114B33D7B6FC9BD37152C3E3C42983D7BF3513E48D884BCB4D69EBD1BD09F3D6233453E17E266BC13D074BE4062283DFFFFB2BD052497BC839134BD374A653E932C2ABE844B1C3E5FDAFABD713347BD18062CBE9D51A4BDEE31A23C38B9CE3D4111993D0C09A23C7A5FD0BC7BB41ABDEDD75BBD0DA0023D8EC4863B1AC7193C70F64CBB288716BE2F19173873F018BE2F6442BD6F572A3EFB2E2A3E7BE3C5BDAE028DBD130F8C3D9B7236BE2B1FFB3D852400BEE6B3453EAB642B3CF739E7BD6EE613BB0CC4283D737CE7B973BD153EF9F9323C2F5A753DAB33A5BC0212D63B7817073C450CA43D00321FBD6C3F133DD480A13E44AE9F3D1DCE67BDAEE881BD27507A3E67A9D93C959C1E3C30A78D3D5A375C3D33C100BD798D25BE1F9781BCC1D8BCBAFAC9143EE63DA1BDEB22F33C233FF4BD1FB5973D0B5BECBC200655BDBBB1973DBAE95EBDE363E13DB0ED56BDA4A68BBBE22EB4BD479BAABDD86375BE529EF7BD95B7033E1C8439BEB03A783E80ABCE3BBD9CC43C6BF88C3C3BF9E13D2F02A1BDD87BFABD2EC585BE7BDBF43DB49184BD055B2BBE8B08D73C4AC85FBDFC632D3D6AEEF43B4F27083E2F4FD53DD818D33C78C135BD9A22B2BD1BF7D0BC758F05BE02FA6ABDF0DA63BD4D0FF8BB48DF0A3E776C133EAF7E5CBDDBC3CEBD3B2F353D25DF1EBE5706CF3D34AF113EEEA58DBD90FEE33D975688BC03D8A7BD15688B3CED2181BD75ECBDBC4BD7BCBD251F963B65DBD43D924482BD6B67143B7F54AA3E87B71EBE3530283BA355D73D8CBC26BDF0C108BEE08CE43C43E46B3D40872ABE35AA953D774C263EC5E25B3CE72D9DBDD58F203D874ABBBDCACDF6BC9A2E703CBB7B9EB9904D8C3C9668CA3D079C323C078EA5BD742A2EBECD37323CA591203D2D9F513D2F8379BD96DE3ABDCF439CBD8FD632BD691E1F3D1524223E9F527A3EAADEFDBC2F04A2BD17D4E1BC20A76F3C81464C3E1264FFBD3BA2523DFDF9A83D73CF04BDB349D2BDDBC3243E161FC83D8F53FDBD30B731BE9D41D5BDC7F530BE1F6BA63D2979B03D02ABA5BD1374C23D6D33EDBB67534B3D9BC1D43C1E96933CFD464F3C972E75BDCE41903C96B3483D571D1C3D2AE0A4BCA0D1A63DA3BD983D291DB3BDF01C963B781E593BC79AC4BD599AC6BD26444B3D1835183ED756763D83E7BDBB0A7D6ABD6C280CBE90D16F3DAF7B98BB6767F63C3897303D23E3523DD02CE6BC39B93CBE88E2933D02D32ABE00E8983BD5747FBD1F013CBBCAB630BA1D2720BE53E3A6BC80C1553BFA31C9BD1817FC3DB39042BDAF04DABCEF83D33D1A63553E2FE0F83C30A52FBE17147BBD9D6A473EDD170A3E7FF8D6BD5FEAADBD05CC11BDEF76F53B80B03ABE1774CCBDF5CE4A3E1FDA22BE8B96713D5B2C92BD9B65943B76588D3DF2D85FBD2557E8BD7BD4493DA30864BCD58A14BDC9D2A3BCFF58283EA627933CC6BCB83C184AABBC18DFDC3DC6C6893C7375873DACDE013ED39A8DBD039EDF3DBB8D32BC1FDD3CBECB58353CEAB674BC9FF82DBEF73DA13D37D08E3D9F9CBBBDBBFCB43D08C304BE4B4ADABD677A163EA21B2D3D268BB33D8324873D26E0353B5F1865BD6D6E59BD17A2533D86E2083D4FDC963D17BA5B3D7238593C55ADDF3D664A04BE33A53A3D200C4F3DF7BC1ABEF1D3293D754214BE51FDAD3DEC46263E133DBA3C7DF9003D0C44B53DE9E992BD03016BBDA2EDDD3B4221493E29B094BD681CE4BDCF09183EACBD14BEBBF1C03D0FE76E3DAEAB2BBEE0B273BC827E64BDA3AF5DBEFC5D4CBD1FF4EEBD9EC5203EEFCDA33D9335A9BD2D2BE4BCE7C93D3E1B4334BEA0DA6FBD6CB428BDB0DEFD3CAAEAB43DE721183E6891163E0A8AED3DD0FED03D8E2095BD308A153DD880143DD5C3F0BBBDAE683D7F203E3D771024BCF4F2233EB24FD03BA50F21BDAA53ACBDAE7796BD5B82B2BCDB29B9BDE0B1873D0F4487BDAE5C3C3D1ACE73BCB37F7FBDDAC26E3D00E68EBD6B9C2C3DE81BB1BD9A3B83BD77B90ABDB5DF1CBD63F759BEB6661C3DD4BCCBBC6F5C92BC537398BC580B723C5037AB3D552C4F3E877F8EBD4B75493E97BF27BDB5415E3EAC36183D049B8E3D9B5349BD434B073EB92B3CBEBD30543DB7A0F93D5157CC3DC352BFBD988B453E84CE07BE220600BC3873BFBDA5D7333C1AB7DF3D17F11FBE252FCDBD1533503D6D9BE3BCDB71363E17C4AEBD758577BE54C40E3E5F054FBCBDAD1DBE271731BEB7D74EBA39EA243C0747BB3DB5C88D3D80F266BDF20CCE3C45AAD63DCB2BC63D8B9E0CBD4F82CFBDAB95DA3B2ED7123E6A71F13C9389A9BD5F59653DFDA1EE3D001588BCCFF0B2BCAB56EF3DDE1638BDB5A1C6BC0C5238BD039EEFBD5B21133DF16F1A3D4329753D102592BEB4B680BDF42F813C222AF13D281257BE92BA0DBE9F7CA9BCFFEB323E43FF91BD2FA1033EF039B3397D2EABBCE335C1BD63CD003E5702963D6BBB6BBDE29377BB6330CE3D5AF4E73CA460A83DB730E7BD470DE8BDDDA2E63DAB8BDC3D224C52BDB8D11A3B77FF0A3D4067F0BBC9C6CABD588FD93C4B41403DAFD9993DA68A0ABD7291553D5D0C90BDFFF2E1BC23E3153E6712043E8EEDA93DFF8852BEC23F70BCD92C323E9B3B00BE4B985DBE6DA41ABD797F0E3D0723CABDE7D6A13D2FE028BE4560B23DEF5CD7BDEA5F4F3D405EF2BDC359D03DA83A123E"> : tensor<768xf32> to memref<768xf32>
    %32 = loop.constant #opc.blob<tensor<3072xf32>, "", 0, 12288, "3e6b64cd0eeb1f7d6bfe9d8ed3f33154af988a3a3a6ac5d8f903255cfb20d6bb"> to memref<3072xf32>
    %33 = loop.constant dense<"0x7062C6BBB5523A3E5A1F7ABDB16B823E2B4793BD1146943D4DF8203D2F1F15BE1F7DE0BDF6AFC83DF29868BDEBE7C2BC6F80CEBCFF642BBDC0E7B63D081A4B3CA542AA3D98ED203E6E8B1C3EAFC1993D4F215FBEC4CD81BDA70C5B3C13D1823C6730993D9E55A63DA05637BC859C743CB48EA3BD68A5AABDA2E85ABCE36C98BD36F78CBDAED5833DB5E23CBD7D85E1BD5F5211BBD33CD9BD2560503D5B63503DAD92323EB8678EBC4375093E077E243D7E24B4BD5A32BABDB7AAA1BDDEEC21BC974FF13D08B159BD4BC8E5BC457D0B3E5292B2BD5FF8B03DD32ADABCC1F0153E23BD413E37AFDB3D509187BE44404CBDE8040B3D105E903D813B1BBDA1234C3E584736BE10559BBD688EFCBD3710BF3C02D1E7BD5327E4BD34EC043E4A6F79BEB8B1603D8861243E3A73273E0B4009BCDBE7A9BD9872E33C0023EB3D33A688BA26D4363E024AF53C11FD103DC67F443ED04A78BA43255A3E8F23543DF728603D1760DEBC62930DBE1FF496BD4F3A0C3D8B5FE2BD5AB41DBE28948D3D81CB46BEBCAEA8BC4B83863BA7CFB13D0B9A6C3D0F4473BD7A56BDBD972ADBBCFAC5233C0D0C4D3DAD6EAB3D025FC1BD4BC3A63DCD3B343D6D7059BDD72D6BBD6C583A3D28258C3D97FA293E5E98C7BC2A7162BDC97083BD98830EBD347A443EC5BD1BBE8EC1933D932CB13D6DE9943DF310ECBD5FA565BD6BF8163E370D403EEAB82A3EE8E4CF3D1DDE7B3DFFDDB63DC9F027BEA7128EBDE976C83B67D44EBE344E4C3D9FFF173EE8101ABC2DAA183DD691C8BCDD1ECF3BE8B08EBD28C7E73C435885BE353433BC9FEA43BDF355283E5390DA3DFD87DA3DFB48BA3D0DBBCE3D074DAC3D550C743E58963D3D50DBD73D871F5FBEFE5116BC8BDA4DBAD390C6BCED6793BC9F4230BCA3E7B63C5DABD83D574CAA3D7732FDBBAE21153EBEE823BDFA4DD93D17CA2E3E77FD67BD31C62CBEA88D533C31BC373DF3C483BC3F6CE73D9504E3BDB857873D6C361A3ED4FC9BBCCA7CE0BD928C80BDB795953DE7E0D5BC87556B3EB0FF6FBD5A39773E0033E7BD649808BECECE1EBEB77F653DA38B7E3D64300BBCC526A63C67C003BE32C199BDEDD11ABEE873E03CAB623ABE6842F7BB83E46B3DEA7F143D1F4E233D3910B03D530398BD077FA2BD43A1FA3DE57F263D4FE245BD5102B4BB037108BDD256F93C783AEEBD2D80953C06EC18BEB1E5953D9D77A5BBF2EB83BD6D4DE4BDC33DA3BDF38D79BDE6D0113DD2567CBCB73E5E3DBF2FA9BC7D525BBC7994093C07DA4C3C3BEC08BC6C84913E0BD346BE2F55E6BDFE35B9BD21FF46BC35FA9D3C1A5BF73B046DBBBDEAA26ABD47F4C83C5802353D1667323E5CC02B3E8DB9813D84B8B73C5219CF3DD4B19BBD362802BDDF37043E4E63973D5A87703D03BFA03D2F728BBDDD9D453D95BE313D4CA522BC3FB2383D73E8523EB0BF42BCFCF419BE2B1048BDD6A41C3EB73AC4BCED2468BD2C64C53ADB26693D1CE83FBD685689BEC3AC393DB0790CBDE246243EE71AB23D8A2B92BCE793873D5C7216BEED54FABC6FF2C73D807C7CBC57C0E9BC9FFAE53C7082FEBD0A8B163D5729E33D8DE1CFBDDDDF113DEBCD023EC559D13DF61738BC9C9E37BDF482363E910C063DFDB750BD090A93BD9B2703BE1B25773D78DC96BC12319EBD13DD4DBDC0DBAA3CF0FFC53DBB4EF5BD43978F3CFF461C3E9378663D4EF3C33AF75315BCD841CABC02157C3C622C3C3E3B4028BDB203803DEE1E4B3C27D2763DCB1045BCECA7113D175C67BCB590D4BDC779B7BC254A323C85F26FBC6C81273DBB94AF3D82D6F93D7F3CD03D37C2DA3CCBC9CD3DD8B9DA3D326FE8BDE5E220BEBF156CBDDF5CDD3CF5482C3D22E77FBD0331023E8A6F343EE6D4093E530815BD31A3AFBDB1F91C3EC58B50BC93D3F1BD4A92613DC58F78BC1B73253B1D955D3D4B5C5ABCAADFE5BD29EE01BEF21D9E3C249F213E8B118C3B0C7AADBD27ACD33D3099CE3DC35A1B3EA25DF63D1D71973C70AFD33D20A2F9BD033A933D6F969EBD1C7712BEFBDD693CEF7EB43DBF2059BDE554253C91FDADBC5BEB963DBF0F3E3E234239BEE5A015BED592893D535E083DE7D0393D7288913DE3D7103C1925003D53E88EBD2839693E4B6F223E2CA2C83D5883583DD6A016BED92197BD0E630B3D336CC03C177D40BB4BC9C03D3B68C83D4FB59D3DBCCC4A3D61AA1EBE3D6CE3BC4749683D8336F83D1DADC33DBFDF87BE4C38A53D6A9E113DB115C33D2B8009BDFDDFE6BDF520CFBD276DDC3DF860B7BD35963ABE739AECBB9172A3BDDD57D7BD5067153D120204BE1BF40D3E620307BD613187BC435A1F3D54CC45BDA005FE3D0B8DDEBDBE04A7BDDFBC9FBD6F65B1BDAB1C373E63EDCD3DBBAFC53B9ED43F3E87D1D0BCCDE60EBD308BA43D6ED4BB3CB296FB3CF99E383D4C23C5BD5B2884BD1660993D17E39ABC006A2B3EF66D133D17C9793D43E8983DB7D6053EFDD930BD7CBA1D3E1F69793DDF8BAC3D5CC43D3EB6242D3D279B0B3E7D926A3CC18A1B3E23AC003EB318973D32358C3D752C4BBC1B4C23BD751FECBD5D19C6BD8856523C9CB49E3D2E76B23B4AD625BE2316483E6F246CBD4310933D63F18C3DEBC6A0BCC6D59ABD52CFA8BB511E913D6BF9FE3BA265EFBDB152C83D1344A4BDB32CDE3BD890693DB7372E3E1D29FFBD4870BC3D3CD989BD63334DBDE5E348BD53E6AC3D6D5DA6BB3B651DBD278C02BC9BA25DBE2A0396BD796D033CC5330A3DAB814D3D558D5DBE976A35BEA270AB3D9F039BBED852583EADCD24BEE846D53BE2B29EBC90F68BBCA3E4CC3CE2CDBBBD3BB8DDBA439E3ABE1D52753D79BD8CBD4D95ABBD4358AE3D4F4E2DBE47A1D13D2C89A2BDAC3CCB3D35DB2D3D46F0873D542CCCBDBDEA1E3D7B00EE3C33FFB0BD4933213DD503E53D75A6EF3D8893EDBC8AC03A3D41FB30BCDF48293ECE0F84BC9E51A73C5B4367BE85D34EBD79A08A3D5F84403D7EDD013D4592E9BD1FB1D4BDF0DDE13D6C028BBD15282FBDC7573BBB93F9EA3DA7B2013E033DCCBC4D30ABBB1F81693D96042BBC2086053D437AA83DF7E2A63D088FCEBC66FE873D633552BD7B799B3BE903343D2F898BBD26E70F3E3936AFBD2B6260BE6A6789BD8FB5D23D3E6A31BD75BF8FBD444933BE0AFD5FBD2B79073E331C463E1F94FE3DCA6CD83D4190123E9D5045BE5074EF3A87670F3D4E521CBE049614BC7DCA39BDEB5A483E0557D53C1E0E8D3CC232F53D0C5B02BEB3D16DBDD11D003E0397953DD232993D6755633D3B6A42BE1740DABD17E0313DC3F267BED64B22BB6C063D3DC586F33DA2F127BC5209773D234F643DE892D23D234776BE1FD1FBBC9B3D823D60F212BCF7A58CBDAC4042BED075CFBDB5EC15BE6051DFBADFD0F93C0BEFCE3D758CD63DA365483E83C03D3DFD5AD2BD2302ABBCE3C0E2BDE3A23FBEAD0455BC55A7CBBD35EABDBD1C73213EC762FF3BF5AA0A3EAFCF43BD6A30503D0627123E27576BBEEFA5E2BC876FF6BC275A3D3EDBD101BD9C4908BD8B1F593C291FB1BD9B5AECBD4B239DBDE4AFC5BD025D823C6B09C7BD63C9793DCB59A53D98E0C5BD4B583A3DD3B5113E22B0F63DC3B1E83D6711063E9289593DD935063EBC13443D523F6ABDF8C30BBEE01DAB3D7648A93D6294723C9B4F40BEDCA41A3DDF45E2BDD792C7BDD7C1CF3CDD0B95BEBBF1AF3D3236F23DF03680BCF5BCAD3D2A9616BDB0E2BABDD18F863D9845A2BDBB11793DB1A7163EE245CB3910E5243D80BF19BD78A8BEBDE812DEBD0F76223E03D7A33CB11DBB3CC71AD5BDEB412ABDD51492BDF7FEA23D95A171BD706AAA3DB08FDD3CEF271FBE58AE093A57ECDF3D85C2993D7A83723DEA8A313DA9399D3D47F4A33D2B3324BE810902BDB83A8DBC0F88BA3DBD5EE5BDC5643A3E9F80403DA16EB9BCAF5C353CDC41B5BDDE9DC43CF80FFC3D0B15BB3D572784BBE068B43D7630843C1FEBE53C5CFA263DDF9DCEBD02F8B93D4E9582BDB0F36F3E35A7F33DAE7D933D97F13ABD5CF3943D4A4531BD3BA795BC185985BDE3C8E6BCE5F9C63D856CEFBD2272E83DCC2132BEBB66F63D3BDFF73D835682BEC3E61EBD32FC8E3DBA0217BEDFC34F3E9201F53DFB323FBD78C441BEF693073B7B5793BD384CF4BDE319023C1D8371BE915042BC472AC13D3FC287BCFDFF8C3DB95515BE62176D3DA5B04C3DC0A47E3DC0A8D5BD23E4BC3BAD9867BD127A4ABD307EF7BD1219113EA7985D3DA7634ABD1DF6573DFF23503CA806833C1087E03BC675473E786C53BCFA700EBEDAB2EB3DD751B6BDE0043C3B9F8499BD637427BE5BD3063EA2D699BD538CA73AAB38D9BC5F80B23D793B043D"> : tensor<768xf32> to memref<768xf32>
    %34 = loop.constant dense<"0xFF8D893F30A48D3F00CC8E3F0E27793F447D5E3F07878B3F6CAE863FE1E88A3FCCBD713FD7D75A3F3B74783FBCFD8A3F7F44873FC6BA6F3FF0C95C3F27A6643FE10C933FF6C5943F4403883FE5BE793FC3055B3F0D8A713F1D7D533F6830893FCBBC883FDADA883FAC408D3F586C463FD0FC7D3F46EA8A3F24B4873FF4C7623FFB0D873FB6E1843FBADD6C3F4DA5843FFF937F3FA9E5823F7AEC773FA60F8D3FE147773FA9C1813FB5C8903FD10A8F3F0993743F9821813F11AD6F3F9FED763F8931823F96CF303FBA544D3F8FC5773F87F5893F8FA5863F1715703F8BED863F84066F3F5580753F977F8D3F6C2E723F56098F3F7E5C6C3FF3B68B3F7A3F563F0A10773FDE858A3F2703843F09927C3F89F6863F89D19D3FA726763FA32A803FFF1E883FD6648A3FDEE07F3FDEEB833F88DC913F0BE2833FF0266E3FF3F0773F86F66E3FF9287D3FADB8923FB7EE753F43437C3F7D826B3F39488A3F2E319D3FE8554D3F4F395B3F10E07F3F16C5693F3E88873F23285D3F50226D3FC8C65B3F4C6D803F9268903FD516853FA8A9763F7CB68C3F42FE843F896D8E3FCE0E8B3F1B588A3F8754643F8B0C5F3F3795823F807A673F91218B3F0B6A7B3F25CD5F3FCF749D3F00BD843F21909A3F33696C3FD644813FDC85803F2ED2913F3FB1793F92757F3F120A7C3F6FD17F3F3187703F1B9F543F5712853FE29D6D3FAE49913FAA4F663F7679723F5F9D8D3F7EEB823FAFA9943F5D744F3F8E717A3F6A5C883F5FFE933FD320733F61F87C3F1F06833F9E86733F4E02873FB7265F3F00236A3FF62B803FB46E6A3F7DDE873F0BBB7B3F0AC0913FC335943FBD3F883F6E6D963F8528743FAAA1793FAAEE6A3F3F28493FB4B97C3F93F4723F7EFD713FAE1D763F8384883F8C8D8E3FECC5653F7503803FDEE3843F622B8C3F8A3F623F68EC733F822E7E3F8455763F4A177F3F4EE6823FE1427D3FBAE8813FFDF37E3FB7754F3F9FDE723FFAC6863F1ADE7E3FC199823F3791963F6900893F5062833FF8ED5F3F79006E3FB9CC813F24F4743FEF9C683FE03D7B3F509E803FF28B6A3F695F6F3F6B06793F6C8C573F569D7C3F85338A3FD8D84E3FCCEF8B3F92954E3FC3AA6E3FDD077C3F17C8643F7055853F7D4A6A3F9AA4AC3FDDBF5D3F7FAC823FD99C793F22B5733F8D7D5C3F2F948A3F930B693F169A9A3FA0528E3FD43E7F3F4EB6843FAE00813F29AE9B3F4F29813F01D9853F6D37873F1C74853FADEA843FDE2B913F1159933F0654303F63E88A3F1CBE7F3F3713833FF831873F5AA88B3F21B76F3F21E9823F54A75E3F3E0A873F7C22883F6A18873F5A35883F88FF623F9BAE893F0A918A3F4F8E8E3F9EDD7B3FCB40823FC150853F43B2943F2F8C863F9E3A883F8BEF6E3F2605723FF630703F7114803F8CE8783F8CA06D3FEBCD973FC846773F2AD9653FDD6DA63F10388B3FF043833FB5218A3F9E148E3F28047C3F33138D3FB28B883FEFE6623FA4A36A3F8D1F833F9225863FCC2F853F9AB9813FD342503FC8F78C3FDC2F8E3F84648F3F7767913FD74C783FACA9683FD27F643F27D3833F7361773F3ABE763F1F6C863F9C1F573FC7A1793F6555703F94B6833F3EC07A3F6BD55D3F9257703FC0CB843F05FC703F6F37773F5E89843F5D54A53F65A2833F9B307B3F26EE7F3FA73D7D3F2FCC833F1C808A3FFDA1723FF75C823F93CD943FE21FA63F9E097D3F428D6D3F6CB4803F259B6A3F54EB973F1D918D3F17788C3FFAC3843F26D6773F96996B3FADA0833F68C0773F5F1F843F674B8C3FA04B863F3C526A3FEAEB723F2E14583FCB066E3F83E08D3F382B813F72A8903F669D733F4C336C3F159C5D3F8E02583F62098B3FD4FD7C3F530F813F174F733FFB51873F832E883F484F813F86A36B3FB5DB4C3FDECB6B3FFE41873FA11F7F3F72D46B3FD900873FA97C7C3FB8E1593F82A88B3F8113753F8645873F1DDB883FBB66883F09E1813F691B843F3EA2843FE81F903FB1838F3F2202863FE2DA8A3F494C623F77E35F3FC028763F64226E3F1DA5683F71A7793FE91C7A3FFDDC7D3F58C63E3FC27F6E3F256C953F961F6B3F2B60923F9F058D3FB0F58C3FB04D7C3F25BE813F6D92843F92655F3F4F3F853FFE9C5E3F2F94963F42F37F3F845A933F61AE8A3FE9FA7A3F96498D3F9C5A6C3FFC31823F8A8F943F97857E3F7C28873F3D1B6B3FC156653FAB34633F7856803F6B3C833FEEB2553F56744A3F58D5773FC4608A3FBBB2903FE070843F07CD6E3F5AAA753F299E803FB2A0723F8B278A3FAD2B923FF3CE7F3FE7836C3FCD658A3F6201703F835C713F888A973FCF67813FF5987B3F9B02893F9986553F20155B3FC4B6863FC8F67B3F5153803F13897A3F2D288A3F55EF7A3F83B27A3F8CF0613F3BAC863FE4E3673F413F773F078C813F3C305A3F9860383F1A70683F1A928A3F1905813FDD84503F77A67C3FA771813FA5E76C3FA7CD7A3F878E933F71587C3F047A903F953A8D3F46B1993F98218F3FDDD46A3F790D533FBF2D883FBBEA8D3FA40C8B3FB150A73FAF98613F6E558E3F3EFB6B3F9124963FE409803F457B6C3FB058843F94BB663FD4007D3F39B28B3FD619873F485F923F39FA873F96947D3F25168E3F73F0893F442F683FF4C0873F6824823FEBFE8C3F49DC523FE1928D3FCEF49B3F9F56823F6FD68E3F4258603FEC8F853FBCD6783F22BB833F5F8D603F090B7C3FD5E5843F0B367C3F983E803F889F573FC5908A3F08F7663F016A953FDAF3713FDDDD7D3F4F3E8E3FCED68D3F494D893F28528D3FC236943F4E98703FD869833F2880813F95A58C3FFFA4843F809A743F8218863F6AD0813FE175743F1CDF8E3F6A52733FFC1D843F8E4D6B3F1680823F9AED913FD7BF953F04767D3F06594E3F06D6553F877C7F3FBCDD763F6E7B803F9B08603FC8AA853F7508763F560A963F8305943FB61F7F3F588C743FFBB4763F8979493F1116823FC23F653F110D573FF1BC8A3FCA157F3F4DF9663FF5706D3F4347813FE7D8873F9B68853F496B7E3F1095903F03277F3F90DC8C3F6DDC8E3F10D9963F1BFA783F1F206D3FE451573F45E38B3F974E393FEEB8383F808FA13F309A803FDECC5A3FABC25F3FE2F18A3F3BA38D3F9749633F716B643FB596833F121F8B3FD048573F34EE883FE8F4863F8A14683FA7C17C3F00EF853FAD8D713F9CD6553FAF4B7C3F29A1773F85968B3F529E8B3FCCB7883FCCB5683FD27C803F0581833FF269793FB7F28C3F7DFD913FF26E813F7D5A843F4E1D7D3F1424923FC0127E3F70578B3FC8E3933F486B913F1F19563F965D863F00DF8F3FEE368F3F4D5C8E3F1DFC883FEB77803F6C91553FFBFB793F3EF5833FC0C2863FDAAC963FD647733F9C9F7F3FDA02833FCEC1713F7DDA843FB841783F296E753F9C6E823F6969923FF0EF7F3FBFDC773FFCDC813F07ED843F4B5B713F6E5C893F7A3C8C3F9BE3873F0EA9873F233E753F7024863F20887D3FA0E5783F3FF1733FE24C783F6DB56C3F67FDA53F9CB9863FEC76553FB4C18C3F5C2F7B3F0D44853FC3498F3F340D653F5DC7843FE5CF853FCCFE593F2A417E3F9E516D3F49548C3FE228833F8E95833FAEC0823FA85E3D3FC308613F14BC6E3F021F823FC4A4683F0A067B3F7D987B3FF94E873F8061603FA2A7853F45238A3F959B8D3F5E0A5B3F35F4463F34E45F3F60157A3F72DB593FC4FC8D3F9258833F85E77F3F530B6F3FC7D3833FCA835C3FFA35603F8BC1773F203E3D3F86125E3F34D2763FABA7963F5C13673FA9BF813F89D9853F2B76803FD4B3803F07BB6A3F0ABA873F4834843F87196B3F72D1703F579C873FBF746C3F608C8A3F1C49803F8497763FA6CA7D3FA46C813F72E8773F0BA0923F3532853FD2A0773F1D4E8A3FBB1E893FBCF6573FE636823F282D863F97AF5B3F3ED9673FF1374D3FD50C813F2F68803F54987D3FE475853F75DD953FC082963F3A456A3F3D835C3F1076623F4CD8853FB61B8C3F4F507E3FE75D813F6762933F95BD713FA0FC8F3FD141953F2C7F833F6EB56B3F09CA863F8697703F9481883F0189963F2C347B3F82A65C3F78DB8D3F179D6E3F89F65E3F5EF3493F599A7E3FE0AA8A3FC7E45B3F32765E3FD2378E3F80C27E3FB464743FDDC58C3F2F937A3F3249933FA141773F40948A3F9EF0643FEA31883F2CA38A3F5E117B3F5879743F6442753FD7556D3F2F59853FCB858B3F9E30873FFEEF853F971C693F90C59A3F3864743F686D6C3F4DE8853F30507E3F77D47C3F88D4723F5AC09B3FF7C17D3F457A893FB7EE4F3FFCD0823F6AAD943FC4EE453F84EC693F"> : tensor<768xf32> to memref<768xf32>
    %35 = loop.constant dense<"0x0C86B43C74FB8FBC146524BE22D6333DBB0B353EE73DDE3D39DCAF3D735F7C3D6F75233D9C8F013D830ABE3D35530EBE92CDEC3DBC65463CCF00643DA22145BE4C3F14BEC816F1BCC36AF5BC831E733D2F7F20BE48E60F3B4B0D2B3E06CEC73CD813FD3C0EB1203E4BC58EBD818D2F3D78D6DCBD9EDFAB3D1D3EBDBBD8D26B3C3BC223BEB867E3BC888805BE288A703DDBE3B13DC6D5A33D73DAA33D2BDB2B3BA0F0793DFB0D10BC1714053D07B4D9BD851BE43CC1FB19BD4A5E803ED727BF3C4812DE3C699029BE91C64B3D0443803D026A5FBD9C0FABBD83F92ABCBF14383DC954093E60E7EB3D4B9B3E3C9FF3EBBCFF04713ECFACCABD9A4142BD52A1663C4829143E9A7254BDBD8AB13E42A1F1BC0AEA253DBB9FE63C60D951BD3ADDD3BC5DC62C3EABE83A3C1BC7033D4AF63A3C1791DBBDB7717B3D4F1974BE33BB853C4774833A6FDA333D179B6ABD901F443C90718A3C535696BC9BA5C2BDE38FB63DDDC76ABC63B3ACBD81E6B13A77FADDBCBA23A63DC54588BD3EB7873D1346CABDF44CBCBCB6FD333DF7FC02BE249E123D15DD833D538BB5BD7524823D0DA9D6BD9C3E143C7275F7BC1D54053EDC5D433D2774B03DD3D79CBDD2D8873D30A5A0BD3260A23C0E4C1C3E4EE5A9BD701DD0BC3B0CED3CA709D33D2AEEE5BDB74B47BE494A8ABE12565EBDED821CBEE6D8A1BDD63C2BBE8E3825BD256237BE24E8993D1315073D2FF1AB3DC7B7053E13493E3DCD93F63D7F87643D6A99AE3D8BD25C3D836F933D88C499BD71E7B9BD198C833D5777E63CA0FD433DBFC66CBD57A048BE5A54503D62FF02BD8DBA2B3D5BD23EBC798FB3BD667DB6BD2C371CBE217CCA3CB44A963DDB4FB53B3A07DC3C05BAC9BDE5EDA73C7AE9E3BD4DCDCF3C321A16BC9B65BD3DE1E441BE7F93AB3C4565C63D8541D73CA3DD583ED27ADCBD1D89D0BD2095E93D79888B3C66EA44BE21D6883DF52175BD1AE71ABE6BAAEFBC782CE93CF7E630BDDFF9EC3DF0D125BDE22E173EE36B9BBD57BC483D23EB943CB66D20BDD2FA403DA9C712BEA78C17BCDFBF31BD9948ADBDC806A0BD5B9AA13DC8F4883D5568193ECF36B83C8737A73D3A6C523C2F08B43CD97A983DAA0017BEEB7F273E100D363E927EF03DEFB20B3C63AF563DF781A3BD63D98E3DFEC432BD3252CE3C53B349BDC3C427BD93AD943DD54D693E6514263D5E971CBE92E7673E4F151B3EC9D92A3E3193C6BD33C337BEC2187BBD6B6EE03C51020C3E0AEEB4BC1F5E103B1B79ECBD8B5D0CBE60717DBC80163C3E4DBDF63D9DDB41BD9F19FF3CB8CE5B3DC5EC773D9BD8C23CAC68AD3D07C8C6BD6584CDBC7FB7A1BC55C86ABD30D8EDBD501E643DAFCDA9BD9B3A5CBB34BFAFBDBA0CD3BDB873E3BC7D2CE1BD0FB75E3D6A8ABC3DDA7608BD8AF879BBDBC6CC3DBA6C67BDABF6B4BC73F0833DD1008B3DDF99D2BDE54802BEEFF9B1BD18DED2BD4DB4033ED4378E3D6B1035BE989277BC6B9E623D46A93CBE1AF1073ED91F103EB41C2F3E91C8BC3C8B222E3E374AC73D859A673D97417D3DA73776BD028F36BE500E2E3D35F5583DAA2A15BD770DA2BD47E7803D7A5305BB873F1DBD302D6DBBB3CF593E256A1FBDEFD4213C1496933D9B4BF83D506CDFBC9BB932BD9368F73D3F35DCBD3FA0B7BDD8C7013D1BB3ECBC63329B3BE3A4ADBD43372ABDABD6523DC37F973D5F8315BDA3EBB4BD0F484A3E3C7302BE9FBE86BCE9C185BDE9F48DBC9176113DDCA093BD648D06BD8245E23DBB873A3EAD72E03D144BBFBDA70B63BE47DD08BE7F5BE2BD482BE3BCBBC112BD79552BBE6AD0DD39A38391BCB35D973C9D129B3DEB35303DD3B531BD38EEDBB90E24033E1BDB463CE53E9EBC602F673D64DA903D494E38BD550CC3BCBA6767BC4202013B42F1583D67EC3C3B4189373D2863D33C0C23ABBD77F900BC1A4FA43CD89F123EBF7395BCCF9984BD83BBD7BDABE565BD6FED2FBDBF2E44BEF09607BC6259FABD86B233BDD0294BBC875901BE08C51E3EA78AA6BDD37C623C63C809BBBBA6CC3C331456BD2F8028BE206ED13DFAC5B3BD830FD3BD3A75003E1457033CAD51B3BD9A2650BDF785573E78C59DBD7216183D90E908BDAA710A3DE8EFF6BD8258843EA7A8CABDCC89AD3DD7B9833DDB1E0EBC32B3D23C333779BD470A7E3D25E84EBDAC1BB0BB67162B3B578422BE614CA1BB2F3E7FBDB8850D3E028979BDB33249BE72FD693CD463963C93D129BB3A2C1FBE44B019BED0735CBD2FD6C43D8B64373E1A8C8FBE006E1A3C2A14B3BDB9650F3EAB1289BBED07FF3CA596973D46B0293E8A26ABBDFDA222BE7F34AC3CDF1703BD8ACCD23CB2050C3EDC411F3E2007183D3B2BF03CF3FC5B3EE0C1EC3D233543BD2772133D4ADD14BDFBA1D23CF99B283E4B69EDBD1DD8CCBC2275D13C160F143E69C7C2BDBD87E93D8D62E3BD0F3533BD232AAF3CD3286D3D358482BD9D76F2BDF94C1ABE524F5A3918BB383D021AF73D8863FC3C2F561D3EAB0C0D3DA692343C3707073D7FA8B93C17D1CE3CBA54D6BDEBC80E3DB3F3C0BD494A343EC2D23E3E9503763D7DE50EBC391908BEDF4B8C3C327DCEBDCFCADBBC1264093D10E2D7BD7BAE59BDC6D49CBC40A5FFBC90E2BABD6A9B303E1CF505BEB3E7C13DB8B32F3E326F9FBD16F2CABCF8979EBD57CB4E3B7CED853DB79D2CBED9281E3DDFE714BEB2F27ABDEC401E3E9DEFDBBC07746E3D821DA03AA4D79F3C25FFBB3C9F1D38BC0F7AFE3DDD18F33C352B1EBE2E5CB83DA7CABD3C8EEC1FBDE3D5A43D9348033CA27DDB3D1011183ECBB9F13D24A3A2BB12064EBDD530833AA48C25BB3FF7E63C3F0AF0BD6AB71FBD1F4A9DBD4392CBBB20C8FE3D379AFC3D2D36C13BA8B9083DE335983C88459D3DD501293EF704253D57F92FBCF8652FBEE97C93BE78EA473EFA5C3D3DC77CB93C678D683DBB4450BD4F645ABEA4A3163DC6B8223E0789D6BCCB8ABBBD32634BBD43D5A23D27248BBD1FE5ACBB99D7B0BDCB6F71BDA87371BD5B2D0C3E5CF7BC3DE53A26BEF1D045BE0FD809BDC6028DBD5BE5613DC1258EBE6B099BBD488861BD0F7E173E6040D6BD03B0DF3C6B0061BD1B1CAC3DC546103E177F9BBE6839173C533F1FBE270BAF3D4BF3EB3D1B9F6BBDA38696B92C462BBD47E4293E38097E3DC8F0FCBC77BCD13D2165AA3DF34C6DBD1D0CAEBC159C39BDE8608CBA5FC3A63DD7032ABDA77D08BC1BE4C4BCA35F0E3D9017D4BD3F2387BC1D9D053DA523CD3C93FED63DEFD99D3DD35D0BBD317D1ABED8E48DBD4373F6BD45B659BE9CAF08BEAB92BB3CB5DBB8BD221D3CBDECF9113EE4FA293D221A75BD1F114DBED642A2BBB6A0A3BCE201833D3BA63BBEC4BF2EBD8BC293BDE1B485BC5E8A39BE399D2CBDD0400A3E1E411B3E51F61E3D13FB2DBB22F04D3EE08260BDA2C5593DFF2D563D47DD27BE7E9C283E5006D53AADDAE6BC4F718FBDE2B9733DEDEC933D47EE95BD93AB60BD7B32FABAAC47833D8454463E107B08BED8A1333D7FF6E33CED07843CD7B2E6BD5B79BE3CFBBE86BC8C7F09BEB78D0B3DADB4FF3DAC1300BE6E36AABC23F343BDBD26F33C6FAA9EBDFFDD803C28FE2B3DE7B66BBBC4F340BDCA7083B97F44303D8AB329BD435175BC7549EABCC1DA83BCB9E1923CEC47193EFB4EE3BB0BFB53BE182A2CBEC3B99DBC8245433D95ED0C3A2DC231BE3854EFBDEBE8773DD820343DE86316BC71B21EBC279A78BB4759D6BC43F723BD588B443DE3948E3E92FDBB3D2600133E93DEE8BDADB3A9BD3DAD253D2435B8BD23B9BB3D2246283DC2C62E3DDDB16EBDBD90513E8EC3AFBD86CD023E83B177BDB272403D6076E33C906A293D43E8C5BD5B96933DD0C9DE3D8A7EABBD2F6D51BD526EDEBC3756433D1FA1C93D6D15EDBDA8E4DCBADB3AA03BCE42073E6317FF3B2B16CFBD6D70CDBB879121BD25D17BBD8A0D133EA38284BDB2E0F4BC093449BE4587C7BD9284CABD9F3685BD8F1D04BDAFD230BD8B4A19BED019573EA86578BEAFCE17BDBF33D5BC220F2A3C866E203D6AC3113E70EDEB3C2A1D653D83B15ABD97C8EB3BACA9053E4F331FBD856332BE079620BD6FFC9ABAEDCB913D4D9E5E3D3ACCA33D308A523B142C20BEAD28FABC3FEA0DBE293E8ABC0352183E7273783EFA46093EBB7D82BDA8874DBDEB07BBBCBF18F1BD29A69BBB98BC67BD730B64BD381A7EBD63530E3D91CA10BB171B08BE6F9D813C63218ABD278CB5BD6D3989BA7B3BE0BD90DC843DC3E9C93C0A281C3CE435343DB5755BBDAF51DA3C7055793D8A74D3BBF73938BD90623E3D675C913D832E54BDD75B0ABC13ECAB3D6E2410BD73F99C3C146B2ABC2266653C"> : tensor<768xf32> to memref<768xf32>
    %36 = loop.constant dense<"0x5B8C9E3D2256CEBCD424363E77CE52BCB2E9A2BEF391033ED12614BE786957BD176EBBBC7255EA3DD99A16BEB60CAE3DFF34DDBD75CFE2BD574CD93CC205B93C9548F7BD8FFB1BBEB2C8053EC46F833EACE22C3C0F730A3E6058F93C5E78853DAC9CB4BD6745B6BD8B075FBDA09322BE168547BE0D82FD3C13AECA3D0FD3B23D4F8009BE007CE5BDD0D64DBE043122BE5F2F8A3E9A11BBBBC2DA8DBD9B94A2BC8F715FBEFFF6683DB25EE6BD1DEFE6BCC69D3FBC2B0A963D9887DC3D17F7E23DF2D120BDE2689C3CB46D27BE84C482BEF1EAB73D1BEC2DBE2083FB3D6BFEEE3B3B50BA3DF3B134BD03E71C3E2E75163E226F953DE53D48BB4778D33C441204BDC72EB5BB9953B13DEDDBBF3D7D5A303DF58FC7BC270435BD31C8AA3DE598E1BDDE8B323CE741A6BD0865333DA7CECD3B0BE791BC7F5CF8BDB0CCEC3DAC51C63D4101C6BD0C9A0B3EA301F03C90EAD5BD1B34823D3095DF3DA3C253BECC8798BE4BCBE0BCE43B18BB833590BC125AF9BD6214043E93F7363E6B852FBD8920C7BD4761FA3D036F2CBEF983AC3BEBE036BC43AB04BD72A6753D19FD373C43A0B4BD48265DBE5B538DBD1FB4EA3D08BC613DC197803D1AA5203E3D98DBBD1359D73CC05DF2BD77D707BD96F00CBC5F3E6ABCD2E622BEEB3FCB3B23720DBDD4EA89BD10FC153D8352C23D175FA33D95D4553CB4E0C6BD721407BEA6D1A3BD5301D6BDBAF2A7BDB670243BFF7297BD6CF93ABCA28E07BE9F7AB93D0D5BE4BDEB1BD93DA3010C3D29200E3E37E1E4BD44CABBBD1AECF9BD1358243C960EC03DE7E8A2BD9ECC3FBD04133BBE97801DBD0C282F3BC32E343EFB2F60BD820538BE50E5033EDCB71BBE9BAAC5BDC4B813BE41C9863D4C0B84BA454AABBA4D33D03DDF9C90BC638F58BC0E238EBDE76EF6BDE21465BD406495BD75B41DBE75AD8E3DBE1523BE5ECC093E93FD05BCB90B09BC56EAC33DF09D62BD3B5D0DBE5C9212BD6918AF3D2F21603C0BBD8C3D0FD92B3E7393D33D6818613DB7A27ABDB53AE5BD8F98A03D5F10B4BDB576CFBD8848D8BD4E16AEBD56BD913C73FE043B537D91BD19652B3BBAEC683E7D3CF2BCAE683EBD960F063E3244F7BD5A4585BDF17A1B3E7A0CD5BD92773CBD6079DCBD504DF1BC4226EA3D406AA23CC742F83BA5D0A33DA321073D26D192BC223443BCACA7943CE0B956BE657CD23D5AAC98BD3107853C92FD9EBD22D0DBBC638AAB3C13AB813EA6FD023D0398113ED708663D1E75A9BD4F46803DF78D813CCF18BD3DF8B6F23DA8C56D3B5B50BC3CFB9411BE9BC7AF3DC9C41DBDDE692B3E2074EFBDF6740D3E47C209BD97F0B43C9C70BCBD8BA0563DB04BC1BC37BB863D40F5F7BD8DC4B8BD2019183D52C99ABDC67145BD00A91FBEE353873DB107093EB9C907BD9BEFC0BDE07B87BD7F40503D2BCFB73C55A476BEF3C42B3EF479BFBD7FEA97BDF5F9E5BD654E48BD08BB6ABD4EA72ABEB5D8E6BD538F4A3D2870BB3DE1EEC7BC154F2A3E97FAB3BD5DDA963DD4030EBE92AECF3D716BB3BD6FBBD73D94999C3C0DD87E3ED270EFBC0396D63CC739D7BDB07ED63DE7C90E3D83102EBD0D74633D6BC26D3D236A3ABD21EE903D200D093EBBD16FBD5A6E22BE7F028EBDB8BBD93D101806BEF07D06BE0BEF09BEE01F0A3D587AFCBDD710003E47B402BD752DE2BC6751223E6A7E1BBD3FAA8ABEDA20943D6F8899BCEC2E913C65A5F33DC99309BD848A423BB72E803CAB0505BEB49F373EC035CD3AB04BE13CF1A53BBE43C08E3D3A9FDBBC0E4F1BBE8A7873BC8DBBEABD502AD8BD5DEB14BEF632BEBCE1954ABE38ED93BCA7C9E9BCEAC56ABD5718563DE3618D3D16E4A93DCC6FBD3DCDB57C3E18C8EABC5FDFF13CB626B6BD0F680D3D505DEEBD706385BCBB87BA3DC5E9C53D53CEFFBC6B1C0F3EBF79403E708E7CBD97B17EBDC27072BD67144E3EB9C930BD3578133E4BBC2FBED960AC3C3CFB383E08D0D23DFC7B97BD686FF8BD35DA00BE33C4F23D238005BE6B7C4E3E433C9F3D6FE92CBEA383453D88F1343DC958A03D930EFCBD6F8751BD1046D2BD2D76EC3D4474B8BDF8A80E3C2C0912BEFD1D45BD4126403E76DBA93D333E933E23AEFBBD2CE102BD9A484EBC1A77D5BDD39FCB3D2316323D452F383E67E3023DD7F0DD3D97F244BC4B8E4E3D6DBD363D36C3163D7FA6BE3DA9FFB6BD73BC29BD4776113DBAB1FFBCA3F445BDC3BDF8BDCFFCBF3D2BD9B13D3DA13F3ECE23AB3D9E8A353D8824EC3D81AB03BD5F6003BC1540023EFBC19D3EAB8114BEF73F583D6DA470BD95C654BD4F604A3E2D72653EEEBA823B0238DBBC43B6913DD1C18F3CD0A6C03D6A1EBFBD6474963DE59B423DC7EC6A3CABB8103EB7098DBDCB04ECBDDA1A13BE5ECB96BB6B6FF83CE8A6C43D0F7A233D4300AF3C2862DE3CF4CFBBBD8BC082BD0379A93C7BE94DBE22A10F3DB07C523D1B2942BD52E2FD3B05A0BE3D0B2066BD7F6EC33D439F43BED274D03D557F393E5389983D29B283BDFF0ACCBD2FB542BCBAA16E3E35864F3ECF92B63C0D98AA3D329E8ABDCBF381BD40DCE3BD07B9D6BC1F588FBD275810BEBE803EBE231E14BE22FFDBBD579C99BDEC758E3D5FFC81BAE2DD83BD52EA223DC839613DF56A20BE1AF7E4BD625E3FBCB8A66FBE8B7FB03D8311943DCA7270BD73D7643EC0371A3EDDBE20BEB37140BD00B6A13CAAAF60BE685DA13D73B8183D4FD88FBDE3F511BCC73D62BDA9B211BC723AD03CF32823BC2F7C43BE02FB82BDC037793DB0D561BDE2F0F73D7289073EC211ABBDD70D50BE6B4F523DD0FEE4BDEA5CDEBC0840D4BC9F79573C7F027FBD0A506B3DA0B7853D04E62DBC6B5A5ABC33D2C13DEF5787BEC9F0B2BC6BF610BEF87CF8BD100250BD82951F3D5B2F1CBE84B88C3D26E4003DEFBE8F3D8E59C2BC74DF9E3B40C1CEBDBDE686BE3221E9BD7617403D852BE0BDC0EEB9BDA0BA4BBDEB6856BEED1100BD0F28103E2F5EECBDE9589EBD2A55933D30751439BB8004BECA3BEFBB184011BC27B4F83BC2D8C5BDB3E8B33D72D05E3D5AA034BD8BA50ABEFFF4513E1754FFBDE3869BBD428C89BD2BFFC63D5B3009BE17D84B3DA799E4BA45FC693E2023F1BD2DCE093E8E1BB43D8478C6BB65A00F3E45EC0F3D9BB784BDA9A40FBE22F862BE4BCD5DBDBB5E323D4B869DBCCA38A13C68BD783DFD4050BE924874BCAFF214BD8F69B93D7464853E1567403EC08E963C99418ABDDFA89C3E8A052F3EA63A85BE7F7B223CB33BD33DDA606FBDA3E8AF3D5EFD96BC9064253EDBEA61BDCF3AF6BD89B182BC4B36113EF3F14C3E1229223D335CFBBDA2B33BBEDC62A7BCCBAFBFBD569F343EDEA3AF3D472322B9B3B08F3E73ABDBBD9B55C6BD0B31E4BDF34E90BD0BC6A73D25726DBB54E79DBC6B6E18BEA8B874BD709DBA3C8A69963D24E7213D55746E3D2F8F9EBDDFDEC93B4F3AFF3D67C2343E90EF5A3CAAA00E3E1F409FBD64BBA0BB66BF15BD670FBB3D39EE02BE77136B3BC8538C3BDF00223D6588153E36E52F3E9D48DDBCD57EA8BD7D70F43C07BBB43C934A6C3D7FA0B33DE0109ABDEB31FEBDC44E44BDA88E7EBCD35EDFBC247293BD2C158EBC484B44BEDFB65BBDB798AE3DB3246D3D26D00D3E3B2F4C3DAF2E84BC6BC3AFBB1E8C223E51F732BE9BD7573C6AA1993DEF43D4BBC364B6BD80D570BDCAEF93BC267C89BC9FD1ABBD016D213EBEAB96BC9276963A05E153BE9FE072BE883E793D1B8F5EBD6310E3BDDB9EC6BD13D5253DB4510CBE1BDC063E7775DDBD4E919A3B053E1FBEE20B3B3E9398A9BDD753E7BD271F06BD6A52AA3D076F0B3D05A091BD7BC5F93DA7C4163D8342323D1F6C333E2DEA1E3EE39DF63D3FB7063DE31E863DD779FEBD7A9A07BDF0A565BDF843DFBCF771AE3D0274893DA598083DDA3B853DBD9D723EFB1E2BBD008E6CBE2F4813BDA95BB9BD5671123EABFD1F3EEFB5C2BDB894B73CF70F4B3D3768F2BD6CDB8CBDC22FE43A6ACE14BE079B66BE0CFA0D3EE3511B3D1BE869BD5A712CBDE3E9893D58E8DE3DB40B8CBC581105BE4183AD3D633736BE4B3BD03CE452983DBBFC2FBECBF539BDDFB5AABD112084BD14E40CBE06B3C5BCF5CABB3DC34E513D30F0023E6B7957BD985BB2BC5861D63D528C15BEFFB482BCEFE0293D86ACA4BD9B30E53D759229BE5CA435BDEA7CDEBCE14C3EBD30717FBC72B76CBE860A983B196030BECF362A3D334EA0BDEA636D3D7F05693DBB1224BCDC302ABDAF0019BDD31304BD7932B83D7A5378BEC1DA0EBD37236BBD5ED4963DF7B22E3E17CFC4BCD70E453DC8B882BD4A5B17BE27C6153E739A013EE81C01BDD32D893DECD1AB3CAFB2D93D"> : tensor<768xf32> to memref<768xf32>
    %37 = loop.constant dense<"0xD7141CBEBF95F6BD379E443D88F3DDBDD7CF473D83A6F53D9D44E23D1E3F403E2F5B14BD47FB57BC8C36BF3C1312F83DCBE90DBE8F6DEABC8AD8733C1066333E1F183C3DB5F8EF3DFF7A8D3D2BCEE03DD18B29BDEF9CA1BD8B6236BEAE5221BB395C14BD90B6AABD9CBB093D8F8FEB3D690C463DBFBD9DBCEC761EBEB25D03BD0D48A4BDAB03D73D3FD5463DB1FC37BD22852F3C6AB58A3E0101193E6B1CA9BDA52CDEBCB524A8BA9D4987BB90F4B13DE443803D018D86BC710028BD7CA61FBD2E0F3EBE68D3F7BC4FBF52BBB639B9BD32ACB13DE75871BDD04B69BDBBA718BEBC71083D9F89913C6B4E5F3E12E367BDEFC1193D0E0729BD1A79C4BD87DD1F3D29FA983D89ED97BE5533A33D63F4103E14E293BE057AC1BDFC650EBEF4399ABD9EF931BCB7DF08BCA7F8DE3D7F567F3CF893EA3D56E1AE3D33A00ABD0CE7193C488FACBD9802793C61C0903D2304173BF4BBC5BBC7F53B3D5DACD43D7F01D7BDD706343D9B44F73D17B202BDE537D33D6B1D4ABC40AAFDBC1689353D2D62CDBD7F2CF2BCD89B1ABC07078DBD505DA23D9B7273BDFB653D3CB5926F3DC821A13DC795D73D57A1F83D736A03BD099A04BC5883ED3DC522F2BDBA0DB2BC379139BEA932AE3E26F8823D0E74C53C52BD1D3E184E643DFBBF873C7FA0F03BF7768DBBCCBD453E874A4BBD674AE43D832E2CBE2A0646BEB00DCD3D5285483D919206BDE8526C3E99BB4B3DEB1A573EE31B10BD7FF5973D54E9913B9D25B13CB31DF7BD8E8FC9BD0AE5813D2DC7FBBD0B5FD83DCB54E0BDCB8C903DADC9BFBB5395523D0B5B07BDD3C00BBD8DC1E83D2B2DD63D4FDE04BDCE290D3E2D5957BDFFB0BCBD22B8B53DF78FD6BB94E18D3D333F6DBC7C4BCB3DDB55C5BDCBAE44BEF44ABF3D731E8F3CBB26C13CB33290BD42681B3E453B32BC954AA93D90C3CFBDD3551A3E3FB669BD05671D3E73BC55BE4A2F723D9D293C3DDF710BBE3DDFC03C624D98BD93B679BDFBB4843D6793873DAEC185B9222628BDE72ED4BC426C613D7BC2AB3C1D2107BE3DD4353D393EC2BDC306B4BCFA77993CE5B754BED1DB43BD90624EBEC07A7FBDDBCDE6BC33EE9FBDCD6E53BDF3CB1BBDB7023A3E53D72ABDC845A3BD17FC723C86748ABECF856C3EF69949BCCFDE31BDA78BD5BD57C2F43D6F9136BD4B88E0BA8A88023EAC2EC5BD7379C2BD1B40413D7D404ABECDB416BEDDA2E2BD79D3A43D88B1D83CF2D0E03C6A4E79BD709CE23C7022CF3D0A35B23CD84061BDDDBF803DA6A042BC2B58393EC23DF23CC5D683BDBD53F93D8FCE0A3B684601BD3185B0BBD0AAD4BD8031EEBCBB670DBDB62AA4BC4F16813E893E353C705852BE3A91E9BC0BFD0C3EDA3BFEBDB5CA87395213553D90F36ABCF5CF3DBD4BD43E3DD570A6BD8D31303D5B08333BE039F03D11CB003E8DC6783DD54436BD52756CBE8D97C4BCECF9163D6D3B0BBEBD23BA3D7A72633C07F7803D83999EBCDF66BD3D0B0854BEA09C953C3995A3BC75C47E3C93BC12BD142F31BEC7A8743EAF4D04BD9A24D0BDE3CD7ABD0F34193D5772D1BBC20FDE3D4C1F93BB127A1F3E3BDE6DBD479DEB3DE388D8BD3AA86ABE1F7D49BBC8F591BB8804F83D0D9142BE67FEBCBD11D4053DD34C8A3DF6112F3D71FBB7BC5E0EB33D0D2506BE771607BE4271FCBD1826A73DFFCE973DEA0AD83C36C3C5BC7932A83D28DFA53B3230EBBDBA5AACBD38BADF3D87F602BE57F6573DC0F6513E3F7E8ABC201FC93DDFFB3FBEC1DA24BDCF8A2FBE754A69BBBFDAA1BC98A8AE3DF38CFCBC17928D3DCFCE443E6A204EBDAA9B293E3DE0FDBC4EF70A3DE3D084BBAE8C913B800D57BDA5A8123EC380793CB94A28BE5DAE6A3D0043D5BD4577EB3D23EAAE3D1329ACBC48284BBD7533F3BBFA20CCBC4F3CA4BCF70521BE5F0831BDC806BA3DAFABEC3DC76EFA3B876FC23D17CF2E3D686E7A3E92DD74BDF226643D83127BBD7F67B43D9FD563BE479E313E314E8B3D4856BBBCEAEC23BD7FED86BDB86C7A3E32BD183E9264523DAB7E4CBE93BD1B3E5FE0F9BCD53B4EBCDD987E3C0F607CBCA3F90B3CC255D9BC4DF7BC3DB28FD93DE9CE1E3E1C6830BE0B69103DFAB80CBEF523D9BBECA98B3D3FAD1EBE8AE9EB3C78748FBC0DC4D9BD905B1BBE4BB9ED3DED4A52BD32FE4D3D5663273D0F6D613C7792073D2B8A0F3C9EB92E3DFC4E133E85488DBCF85934BD530F203E734AAD3B23BB713E8B262DBCF7CF933D338D89BE0A3B7C3D9DD95DBDE7C867BD3769F8BC033FE4BC07C09F3D9F5EA6BD68E5EEBC4DB4523BED094CBD13C4C9BDACB308BC9FAB9ABD7F5B22BEFF22B2BD7F2A963DBF006A3CB88B29BD4BD537BC5565123E33364BBEF16A0F3EA06F893C9FB4B6BC9F88C5BC5BDA933BCEA23E3D0592B93D0792FA3D604C08BD4C4DCBBDBBF4F2BC172D213DFB6FE73D83CF923DF7410F3CB00E37BD0827EDBD01B94BBEB87F013DC27461BC37E5833C643B46BE64C2CBBDAB06F63DD7A8D83D1BDE81BDC3D81DBDA8DBA33BE1DD96BDBB9B62BDD77436BE9B8181BDF5A677BCD87CAB3C1F15AABCF7960BBEA3B27E3C414C053EACE69FBC74803FBD28807DBDC1CB80BECB5CBD3DD04EC9BDC1B91EBDEA6E87BDD0B061BEFAD4D53DEDF0DA3C6449C3BAEF7D07BC032419BC408CED3DBFD4833D57B47BBC323CAEBC871008BE4615A7BD1749123E23A90C3EF3D8F0BD1B7D7DBD63151D3D37EA0ABEF7918BBD5B4DFF3A1F51ADBD2F40C0BC012FBA3D4A8BFCBD0AD7033E245287BD7F4E373EDB7C623DB5FF933C58E7523CC46505BBADBBE8BC7A6BF3BD961D173E205A62BD9351ED3CA1D90CBEE610073EEF78F13C9F7E5ABCC9D8243D05B967BC48F253BD8A25733E665743BE104E2BBD004F60BA0846E4BD8DFAE53D83000ABD5734F5BD0D5498BD1BF276BDA0475A3D8FA0FCBDE6311DBE1A9C4EBE4D3709BDA80EE53C8B0690BD63A3D43D1FF5BBBCED13F6BD20B4D63DA6169EBD07742C3DC6753A3D57EC52BD1B6C21BE67BBD73D2BA3F9BCE43FC9BD557171BC707E113DB9E11A3E3D167B3D35AE6CBE231AFEBCDD2669BD9B1F603DEF7917BE96EA80BE850279BE3798C73DC6FE90BCE5DE723D1C779DBD124229BD9E2B0E3D1717C3BD4128B4BC3A21D43D592C0EBE2C6210BE0A7AA4BDD7BE57BD559906BECFB705BE579578BDAE7311BE552D71BADD1676BD93E5CF3DAD8149BD839BB73D4F8A6CBEFF2A133D46A83BBDA3F7BDBDE71CAFBD0F6188BD81B6C83D8CB0023DB6960A3D7546CFBCE08DF3BD60B1FF3D39E10A3EC156A4BD1178463E9FC921BDEBC1DD3D32EB6E3D95F7633BB5756E3C1455C63DABCB8CBD21DFA43CBC179FBCE6D7A1BD530F52BD93273D3BAB78403EDB1A083E87FC3F3E7C424CBE0E9A04BED828A1BD1F2113BD4A46D93CD38AE0BC4B0C04BC6631B13A0F2CC83D2B70FDBD2BFC963DB0E663BE330D303DBD9343BE4D9B61BD6A2DA13CC1E7043E1025583CE9A5C7BD6961263DB7E011BE4F74243C3B0AA33C228465BD2D2853BD01B9AE3D3A2D3A3DA2C00B3E4BA23C3DCBBB7FBD53D8593E601C4F3D5CFD833D041A37BEB2327CBDC156033D77AFB6BD1255F5BDE5AEC4BC662542BCDB230FBD04D008BEE8FFB03D9234B23C18DC30BDE488C5BD239E473DB320B5BD433AA53DA029533DC180A2BD48CAC33C066F85BE7A87D6BCEA64F6BC3BFA293EC40800BE3B35CB3D3BA846BD2131933DA0C0D33D05463D3E2418893D168305BDA07B9BBD86FC04BD00166D3D98F678BD9F90F6BDD989A33D44C200BE6BCB98BC1D6EA03E0A56F5BDCA6A613E46872CBD1F3800BE8FDC873CCDDFDE3B4BE2B33D64529FBC08D7F53C8815B83DCF0096BD700F9C3E8FC1A23DE19739BD32C336BCDBA090BDB057EABD5AAFCDBDF94E8EBDA79CBD3D578558BC2AB6773DB0AB783D4221D83C14458EBE97D7363E975185BD670F833C57F55C3A35DBDABC578BFDBD388550BDA24E373E08B0973DAFA2FB3C3282063E9A1B5C3DAB8A153D1DF10FBD9E5B9ABDAB38BF3C9388FB370F880B3E9A83903D7704563B7B9AB0BC868F1CBED92C2E3DB8D4A03CA51E2B3D4A29CB3D2AB839BEA8D734BEE1A5AF3B57D968BE878BA5BCE66EBB3E08655BBAFDDF4BBE56DD8EBD644FB0BD8D3D5DBDA18708BD526F88BD9F3ACABD2A3E9FBD957E143E772B3A3DE7BCBE3DB638113DA3241E3DF3DC42BECD1BB13CC0F2F03D430C5DBE125A7FBCB8039ABEABEEBFBD831F8639081761BD3BFEB53D03B9323D6423933DABB467BD93C4EEBD1A3EA63DDBB7073D00229B3C1A7EB5BD25C11B3E6003EC3DD792D8BD4F247B3D84F4BA3D4A5A8D3D8FF70FBC"> : tensor<768xf32> to memref<768xf32>
    %38 = loop.constant dense<"0xB315E63D5CB4853DB0938BBD722D67BD632ED73D23F8D1BBA9CB3CBEFC80AC3D9F273A3E2669133D77F41C3EB7A342BD83E6173E44A3A7BCA7B42A3EE82ADCBCDEC72E3EDFAF72BDAB2683BD73AB6ABEED17543EE35CE03DD75AC6BCAE6DB2BC239A82BD2A511FBE4ECF853D731C173E9411BC3D17B4A43D21C298BD87D83C3C184DD43DABD302BE773AA0BD58948F3D32FD873DF3FB9C3EAAE9F5BD67D5D5BDC89FBB3D2510783B74ED86BAF563533D674F963DA3DA1EBEDFED9D3DBB4A00BDE2E585BDDBEE46BD7EA3C03D1B87A13D7C690FBD760504BDA1A90B3E8923923C5AC4D0BB2410A03D69C1AE3C28C36BBDA415A6B9CAE484BC181FC93D23D295BDA8F1D4BD7A7050BC8EE4AFBD1A1FDFBD5735DDBC25F7933DB2ADE5BDEFCC5A3C48E8AB3C0E1D49BEE820093E865E083E18D51E3EDC6F92BD1BAA9DBB7049EDBC17609D3D608E8C3DA94E363D2F70433D3CA283BCFBE88DBD5ED2AE3D03B95ABE1566EA3DC3BC293CC82AAB3CDE5C2EBB3FBDD83D12A3D4BC4BE9E0BD6502593DA721E33BFCBF963D42ADD73D50FF5B3D9FD732BD9294BBBDD87450BDB510483CE8420C3EF3D8053D5D591CBCE494813D6047973D3F7BF2BC7FCEE6BD6F982FBD4CC88B3E17C1123EA701FF3BB653273D369A393E0F86B8BCEFAB623E8EC0B13CAD59F4BC9373043EE43A283D29C10E3ED683A1BC13AD13BEE32D72BC2BD103BEDEF44ABD6DE55CBC23CC4F3D4739A73D20E0C0BD6F8B8F3D8DDD513EF0C3B63C36F722BE1353A9BC3F1D42BE4F9A2BBE916E233DAF36153DF69FAFBD62FCBA3D2570D2BC773FA63DCD23DABD27ADE73DE7F2F63D375E84BD6FB80D3E0331033E42E1A53DB91F843DB5F7DDBC9A2987BCEB52443EEB2EEBBC5BD86D3D6D36743DA35F29BC1F3A6A3D68EB303E7BF546BDEB52DEBDFF0129BEC5B4803C1F8B493D828C583EBB63F33D86FF973D9A5ED23D79EA053E0A11D1BDFF5125BC98B381BDFDBC163E6FC5383E9ABC6B3D8C2A153E0D0F46BEB3F0EE3AA887633D872C223CAFA9163D0F3702BD9F629EBCEBB079BDE3B5203E416444BE0935203D3DD5FFBD26C617BD21119BBD39BA3EBDCA73DEBD00142DBE554029BED1FD33BC9CFE38BD23F030BA3D8BF6BD71A9BBBB932B0BBE578E90BDC23D653CAAEB88BD763285BC6860DDBD87B69B3D30D6673DC5D9C3BDD7D0BF3DEABC5CBD0F1EFA3CB41A83BD98D128BC9B2A98BC3A66543D03C0D53B8B692C3D8979AFBC79BD933D60742EBCD482833B0BCC2CBE0FD7D0BDE503CA3DD8EAE53DE87767BBF4D809BE9B270C3D0D6FE83DB086DEBDA247213D9CDE2E3EEC1126BD9F65BD3D696496BDC3C2D33D3DC7EC3CB36FBF3D9677C93CF7A8573CE8146D3DA54A303DA7F8773DD18E423BFF9DBDBC333E063E7FCD51BD0F7127BDFAFF52BDEFCEB5BCF78D8BBEE8F3A6BCB4E0C13D46A8433D01FD2EBD826921BDD32107BED781BABBEC71A23D282CD1BD13F3D13CA0B3D7BD8084D2BD372DC3BD8B16C9BA3AB616BE1559553D87B7333EBD2368BCF91700BE8F6A413E68D9A4BC47BC673E63ABD0BC0D0E63BDF3553FBEC24D27BEE8DB7BBDC6E545BE6AA6913D7912B63C02166CBDA77E21BE7D9FDF3D602C2CBED1F12F3D98F932BD7E0192BDB86AC5BDF3034DBD6B3061BE5E213CBEFD5E1F3E4798E2BD205E543D4218ECBD8B4D3A3E9CFB263D482FB73D8A0BA13CA57D713D7C8C833BE84F04BDE39685BC13EB833C990DA3BD0715293D4995203DAE8291BDC768723D5D3F10BD5735CDB84F34783D074AB4BDD771713B9FB0703DC400433DB6E82F3DA92931BDEE1F813DC112A1BDC3A4CA3BE8576A3D36BACBBC5DFA55BDCADB13BE527367BBE1A8013E1C468EBD90C7CF3D431471BDA80D5A3D922865BC2C1912BEF56614BE01BD863C1017C03D546F20BE837A9ABD7D36103DB848373EF5F8493DB072823C7BAC06BEDA50CEBDCA80DFBC58B465BDA75398BD1D45FDBD1AC338BD5E7F1EBCE28AE83D8784983CC1F121BE4C4F11BD77FA6B3CDC9EA63DFF0734BD0BCF113DB3E5ABBD9712D1BC8C254CBDCFCD8BBD852384BDED0D463DAA3ED33C4AB1DEBD1DE0FE390280883D667723BDE26A80BE4F1F5CBC6F28DFBCD2D175BD1EFB013DE3E7C43DDD8A5BBC2C80413EB589163DDC63AD3C25814B3DB213813CADB486BC91C3B8BDA36D143C335CCBBD473F7DBCACFF89BD9AAB09BD1AEFFABCD6719BBCC714B9BD39C9093E8045503EB554C63C738CF8BDA3F61EBECF66443D540ACBBD6ABCD4BC6AD41D3E684DA93DC51BBC3D7D7F103E17DF803D29FF033E6BF6D93DDB9C46BE52F9B33DBB71F9BD52E563BD722156BD046D12BE0C89153D0B7124BD141BC53C6333F7BD9309EEBD4FC393BD9DBAA7BC436E12BEBBD0983DD3B4223C0F1D0C3EC30EC6BD71B73B3E6F8E66BD0FDE093E52735B3D7028EB3D03B5CFBDBA0963BD8FD6E1BDB38D23BD934369BD8F485DBCB3D8E73BAE3C923C7328D2BD1B419F3DAA4CF63D4D59E3BC2FC88B3B312AC43D7BD9643C1396F6BD6BD2A8BDBD816E3C8F54993E4BA2A83ED95B133EABC3993D90A5C13D2242AEBD6EE503BE3B10F1BABBDB28BD1B1D32BB456DD13D43FAD3BD6B4D47BD8181B4BDCB8AC8BD2CB8113DDAC77CBD5D2E973D2232A1BD37D88BBD1F9C8EBCAEEA43BDD529F73DC76F463DC898953D90D4983D6321A8BDE53AED3BF8BA113DD574D3BD4135BCBD2218733D5FE98E3D9C0DB73C1F1E4B3E72BFD33D5C764ABD660C0DBD3391AFBD84C1333E5B6B0ABD7E30C63D1DB3933D45BFE8BDCB77893C7E7345BE638011BD4FD41C3D0741B93A7D8FD63D8BD13BBE41FC20BED38E4B3EF82D573EC9D4803D1B53193EFF932FBBA9F53A3EAAEB77BCC2B08D3DCFE5263D8BAC36BD251F123DBDEA7BBDFA38253E578E063E29ED303D175B2B3C5617A2BBCCBE36BE427D043E1A31D1BC0205DFBD8EA706BD6F972F3B48C9293EA721D0BD2F73DA3D478CD93D05F5473B4D5DD5BD76FB853C3D68D0BDC96BC93AB535383BF718E73D7B08EE3C63253EBD75E4C33D3FF49A3DE6F14A3D3F05653C291C963BCBD3133D504677BCE2E0F0BD7B71513DE1854CBD52DB4EBBC2A464BE4BED2ABE1A0D30BD9F740BBE8B1D95BDEDDA0E3E12F28A3DC672A03D8A17863CA24D7DBC3D4319BE0D7D503D9504DF3B08A5E33D91DA0BBE0711583E65CF11BC102E4DBC677F123E5793D33CC7544EBD5B15AABDFFF7943D1714FCBDC3B851BCB579FE3BBF428BBB7D4BCA3D9BFBF73D7C6602BDE7E2EF3DC4C28E3BFE01323D938AA7BDAF3D563C82800F3E795D2EBED2F6DC3D674465BDF3C6B8BD73B1863D77F0B2BC80CEF53DA6BFAF3D3F41033D278DE5BB134A92BD4FDBF63CD7E7FDBDEB4593BC6B4938BEE8B079BD7B00AABCED7D0BBC231E8B3DCAB9C0BDAF25633EE2B2863D5F8DC93DFEB90B3DAF6D22BA6D19593D488ACE3D87982BBECF28503C3D6A68BD7FFA56BEFDE340BE3FC3A13DF35B06BC275D48BEDE2A033EA91B9FBDA4B2B73C3FA969BEB3563E3D3AA9B93DCA3E233EA158B23C7AC1243D3B1144BCA0910B3EA306943DDE02043B8BCC143E5013F3BDBBE40EBEFF4242BEE7698EBC3F1FD6BD42D7AA3DA73A08BE0583DABD605C473E6CAF12BEFB936FBDB7D7253EEB11DE3C0EEDA6BD975E853B9371CFBB6F60B3BD25F02D3EB23E22BDBDC8E3BD32751ABD7A59B9BD0BBFDCBDA4FD3DBE35CE5ABEF588B8BDC01C1ABCC437983D20C7C7BD4810D2BD219F4A3D55665F3C55256E3D4BF5EEBD141D15BE33877FBD79F189BDF7BD493E16958DBD4802DC3C3FE150BEB96E19BDA38B86BD8BF26F3B62291CBE5736F13D16E31F3E27D2BD3B7843AF3D51D72BBCBD42F73DD1E1083DEA05783C6DC8E93D1F52A0BD73BE26BE33F2213D688428BD8D48EABDBF37F33D132954BE8BAED2BD12B829BE1D5F7EBDB5663C3D8F5CBF3C37EA2B3EE7B1E73D7BD403BE8E668B3E7A5A1DBC3EE097BDFBD8DE3D5A8B853CBC2B893D567C40BD0A4959BE58C9CBBDF39197BD9AE269BDD8D6F33DB6B0AF3DFFF837BEDD5ADE3DE57A5D3D3D3A5ABE254AA9BDD46489BDEBE7133E60C8E43DF504FE3D032E9F3D646E97BC87A48F3B1320FC3956BD42BEA3988CBD8FFE74BDAF2F76BD191BA2BD4DB6E6BDFA1FA8BD31D38BBD6ABE7CBC02B8FA3BC55976BCF3E7DA3B6462C6BD0FA5C7BDA0B5ED3D912AB13D5BA1A8BD37E21A3E78B94FBE199E91BD1FFDDABD736D3BBDA02F053E806664BD9B5A7DBDC03742BDF3A7CEBDAACDE53D3E26823D6FE3143CDDE8EABC8EF335BDD3380C3D6E4DACBDEC862BBE737CFF394B84AF3C"> : tensor<768xf32> to memref<768xf32>
    %39 = loop.constant dense<"0xF3B5CD3D9B67C33C8B6348BE0302C93DAA2C083E1444A93D0AF85ABE3B5DCC3CC1D23C3D9B8DA0BD6F6D2FBD9493A13CA55EA53DDDC75EBC4ACFD0BDA7BC49BC5A41B2BD53DC113DF724C8BDB9DA06BE544E183ECE1C9ABD53217FBC686F243DEF14183D4B5000BD9E260D3D53D665BD3F1D0F3DFA81C13DE2901A3E3C29983D82FBFDBD3781033E83BD14BEDAB1B73D8DC40BBD224188BD1D86E4BD3494893C9D33983D29EB133E1A675EBB63B64E3C1370163CF7A481BBE980B63D11E33F3E225FDDBD1561563E77C310BD8E2B0B3DCF14033D642497BB500EE63CC2F2A13D53BA17BDBFD1FFBC1AEF443D948111BE458D6F3EB30152BDBF08F6BDA786233CCBB91C3CABD942BE0A48B03D20757A3C21D0133D428CCDBD3A93F23C774D96BDC0B2053EF3DA113EA7C2B5BDE94B873D0D5A02BE4D88E8BD5275D5BD73C3ED3D375EBF3D727F14BE039F2E3C9DF5CBBAD3FB26BE4B412F3D846135BE47137CBD05B8553ED79665BD37245ABDFAC3833D4BE6613DDAA1793D6CE0CBBDD7999E3D780156BEF5BEF5BD25858BBCF8CC913D02FB473E6BBDEE3CFCFA88BD101051BC3352583D1F82B4BC3D4704BEB1C6003E1EB185BD35549E3C63FC9CBCD71D823BD966A93D2B85D43C93C2EBBD5BE80E3E025A78BD074215BE7B4245BDDBFB2DBE82564F3DEAC5423EDB7400BE273A99BCB784E43CD5A7EC3D4F47EFBD69491BBDB89A133E10BB8A3C365BAABA9D4378BD7E33893CF8BC3ABEBC3C82BD8731443DFF97923D76B2B4BD7BF2E6BD73F98A3EFB0CF1BDD873EBBC9515CC3D86B8223DCDDAF93D8DF8533B7BE321BE2BA79A3C39AC913D9AB4243E53D3CFBD5B8A553D8BC7BBBD68016F3EBBD7913D2B40693DB1122F3EF3402E3EAB5CED3DFB57BE3D2FE85EBC3BA993BD6DFEF7BD7DB8B4BD78B66BBC0DA5FEBD0A0C5F3DF30481BD0291BFBDB0227FBC30F786BCBF61053E3A1B26BED36C8D3CD3CC873DCF0901BE8713E33BCA23953E272A3FBC4061D1BDDF475EBD57600EBEE32A333D5AD2CCBD42D2E9BC5B68B53DB0DEDFBDF22E7D3B50B0DDBCC61006BEF3C80B3DAFB54EBD894E8CBC38319BBDE2A577BD7534D4BDBCCF3CBD65353FBEE7D1C73C8FF8C13DD7C2E5BB650B133D195E2EBE6D2EFABDC45B81BD5F69C1BDDF3B67BDB8FDC8BDFEA71B3D2B6BCCBCBFAB31BE93830EBECEB819BD58E7EA3DAD6787390DD5333D0B2486BB13A1E6BC7D2EE43B94A0023DAB41A53D35F4923D66C5CB3C6DB28CBE52935CBB2BAFD1BC7C9B383D3587F93D77E33DBEEA062FBD1AF2253DC154C1BD144E2F3DEFEE20BDC2B4083E6F8030BE5A0285BE39EB88BDB8C7FCBD083D333EEE6A473CABCD623EF860CDBD0B00D03D8288CC3B1772EF3D189A313DFC652FBD6071623C6D3B373EBB1C153E977AFBBB671ADFBDC3C035BE23B8E03DFFFA60BD9233CD3D0253C53DFBA16ABDCC2996BC93364B3E7157B83D887652BD5A1A6BBD9F08BFBDDAE1FBBDEFA6C9BC4A6DE33CEBFB773C83384DBE8EBCB6BDC32428BE3FC1EB3D7B8ACD3CD4EBC2BB85ABEB3D45D78EBC6140003E33F03E3DD1EF053DCB4E053D9F2A023EE820033E1B8A023E4E8908BE1373953EFDA4AB3DF337363C3F9B4F3C3F022C3DBBF8B33C53F793BD0ECC24BE6B769F3D5D192E3A907A763C266514BEB0F1FC3D3186043E2F42003E42F5DE3CC7D055BB6A7A233DD88CFC3C35E7D2BC8F7DD63B470ECC3DEBE83FBEC054103E9EC41CBE23A44CBD62CD68BDB1399DBD8A9CE43CE17309BE93BA55BD88BB5DBD6118BE3D0D5BCE3C7DBFD9BDD30EA63C1E1E36BE63BCD93C94CFC8BDB8ABD03D675B973D73BFA03D58D3343DAF83F8BBB76CD0BD0FC7C3BD45C0B1BD9B61743DCAB628BD40827B3E9A53AA3D155325BE75D9A93D3DA253BE4331DCBC409EFBBCCBD9EF3D0F82D83CD399CA3D5331E1BD384A70BD829E193EC3D65A3E9794713C40D7C83C5FB5FC3C73DED4BA3748CEBC2EDEC1BDE76EF9BB7FFDA43CA73BD43CF97F07BEDBFE483D10836EBDA21D3CBE934C1CBCEAE9613B4741B83D37C3CA3D2F5FE53C136546BE7BC8813DF45B393DE3B0A1BD55D8F6BC4D1F5BBDE2EE5F3D7FE08DBE28DDE7BD90003DBDCD85FA3C9FFF163E18CE363E704E8C3E2B742D3DC4EB85BD22AB4FBD938BECBCD64C1F3D2A666ABE142481BED5DB72BD4B8EC0BD60ECFFBD43A24B3E060F173DAFC004BDCD91D93D5F16E33D08CF373DEF548EBC4D8789BD9095B73D4F79703DBFBD023DCE0F913C7512C53DFD8A4F3D5DD92FBDF7EAC13BCFB31F3E200AE53DC0737A3DCF20BB3D2A52503DA8DB9ABC4AEACE3D5FEDB53D02A769BD0F71E6BDCC2946BD8AB1CEBCAB4273BE28604D3D6216CDBD110814BD791DC03C807B1E3DBA811EBD3A378FBA86DF3CBDFA6099BC31ED493D5F242D3CEB6F343D817122BDD2472A3E457DD53C2A1DFA3DF7C78C3D956E44BD87E77CBD3E669CBD30902C3D5F448A3DB37F613D5DBC623D5BBBC5BD0B1835BDF8594FBE978D033D0E4A8EBDC4451B3D254F46BCDB2F14BE1D63EFBD2A8640BE7F296FBAC42F303C3EB9BD3D09EE99BD072087BDA7A398BD6791F03C8B49ABBCD5A161BCBF489D3D151C1B3DE59FBABD3B118F3C8839B53D668A953C75D9EE3D6942A33DA3FD213E7F27543DE7CB853E0DF19CBD0F5B9EBD39B3B03D931B82BC2F3E493D779B80BD6AB22BBEEDFDDE3BD32A553DF3DAEF3D6914BC3D349B3EBD4D1C72BB174D433E1F8FADBDDAADA8BD6B8CDABD6D07813EB8AE7F3D3864653D9F94A63CE34EAE3D57B2F0BDA2738B3BFD39363E0A17ECBC0135A43D3D4B76BC347BA43DDBF173BC3FB4993D002FAEBD90B9A2BCED50FDBDEFAA4B3D48AFE13D4F98E2BD2B99F8BADDF89CBD4CCC243D03B2F73A2359C2BD7B89923C8CC73C3E7A5950BD16158D3DB2E284BD63555FBD930CA3BD170E753D122432BE82E70B3E07B4133E0728DF3DBFEF97BDEE1F003CD8F16EBD90A8543D423C5ABC9AF3F2BDFBF9353EE117B6BD65BA55BD37C3B63D0F2CE7BCEE53113EED67053E225D88BDBB03253CD5F070BDDF105BBE3C52A5BB5FE244BDAE5A91BE3BB73D3D4451CCBD43B4173DB8A75CBD8DD07DBC5FA10B3C3262E93DDA453ABC780C433C271D60BB03F5BEBDC9EBBDBD3833C0BD95FA313D55D070BD76BE80BDFA39533C6B12ADBDC712853CC579883DAD64ADBDEF7B133E54C90F3CA570C23DFB52233E01F98F3D02EBB7BD957CAE3D5A454F3DDAEBBF3CDBBCE23C6074DE3DFD7913BE00A6143A5F68353D08F56ABDD7FF0BBDC5186C3DD739BCBDD33748BEBB39C1BD8F8657BE215B83BDDBBBB23D7E76813EB088A5BDF8E0543D9AA2163EDB40F4BD9B876A3CCCB18EBD8FDFE8BD7DAC0F3D0F25473D9580FC3D27769E3D55C24E3C02A8B23B5394B8BC53815A3DBA3459BE9A6B82BE272CB6BCE781FFBBF209763DB1EA403E3BB1203E2B8901BD37066E3D2A4D39BD8DF5CBBDF86426BD8D8647BE91AE38BCB20946BDB8E7EFBD81498ABC77437D3C3A8FDDBB840B86BD3FE1DFBDD6554C3D503A083EA238073E379D79BE5A69ADBDE538EEBDE17A943D75F7723CEB8498BD82EE57BCFE6647BD3AFFDBBCA9C7923D2814013E6EF323BE5770B93D106C5E3D23E242BD379CDF3D894729BCDF944FBD668F1E3E8B4B013D27D6223EA3C6493D2F3DC03B23205CBE93CB13BDCDDC3ABCA2FF58BEDFC9FF3B373187BC7FBA7C3C429D01BDF2CC613DC5ACE9BB188BD9BBE238FEBB380ACF3DC5A1B0BDEF99063EA3BBFFBD110A04BCBE1F843EFFAF25BD337AD63B866D203CFE949A3DE54D493EE328AFBD8B0F1B3DFE4201BCCB9A44BEFDD5DE3D1B5B10BD2AB06E3E88326F3CE999A6BDC3AEEC3DAA731C3EAFFE823D0CAB2C3D3DA4543EE797A23C5F03DB3D0DCADCBDC1398E3D3534B13D1B8DAFBD44F22A3E55F7D4BD6391FD3D8F41553E73DFCA3D9F5EA8BDDCDF9CBDB275773C28CCA93C0E3BA6BDECC345BEA69A0C3DAA60803D0BFBC8BCB3FCF43D7A09C43DEF89183E7C7007BE277DDB3D9F8E1A3DAAE19DBC57DA953D3B179FBCF0BF983D92C9C13DF79E23BE7DB36FBC7B0C423EB83E223C2030B93DECE52E3D5DBA603C147934BD025B33BEF76AACBD9B7EF53CC22FCE3D1E2C3ABD92D549BDB6174ABD4BE1D6BD0492093DC2C32A3EF4AB0EBEB2CF493DA3F2863EE6B7A9BDE0FD6B3DB0A3023E90B70F3D1339173EF7BDA33D3CAAADBC716F8EBD9CCF063E64FDC5BCC324A4BD7B464CBD6F1E153E69091A3C255DA1BDC12040BDB071983D3BB7043E1E0C2CBE113A083E5DFFD63C868590BEC959333E8B7B913D9FBEAB3D"> : tensor<768xf32> to memref<768xf32>
    %40 = loop.constant dense<"0x1448973F26ED483F13706E3F1B33833FB406863F95986A3FBAE2863FA9638A3F163A8B3F087D743FBB31953F2A14873F3E0C773FF20B7C3F13376B3FC289873F642B7C3FAFCE983F1DD8863F0791743FE0AF873F79B2813F3195793FBEA0863FAA507A3F32C19B3F5382983F6F46923FCCF18D3F4ADD753F28FB7E3F5627603F6692813F8A8C653F9C6F8E3F58A4673F5DC5833F1C3B6F3F009B793FD0AC783F1EE7843F2F27853F524A863FFE21663F52D06B3F2E746C3F23B28B3F6225783FB1625B3FE296853F1C688B3F9B077F3F2001813F7C83843F83DF7D3F8ED3723F7614843FDCDF8D3FB834493FE61E823F6276843FF5EF923F0B9A803F75C05B3F41A09D3F70308B3FDD8C903FF506853F37A98C3FC752743FDB72883FF6B4823FB949773F87C37C3FE05E493F40B2823FDEE3893F1D50863F0E838B3F9B318D3F12F7593F3381893FE8876D3F012D853F00E08C3FFD3C743FAE6D583F2AC4773FB574673F270A793F5E3C8F3F4811803FD430723F333B583F5AE1913F6421903FFCBF783F4043893F85F3703F2E33893F14B2563F50D18B3F07246B3F948B8A3F9E495F3FC3CA8A3FB5B4683F8D29823FB8D8843F854A8B3FD82E5D3F660F933FE5AC723F6DCA5B3FEDD6973FCCD9703F84198E3F92A6833F3B83643F3C55833F00783E3F86C5513FCEA8673FBCB86D3F472F863F88979C3F16AC993F8338813F7E93533FA6C65A3F43277A3FB62A843F27857A3FBFCF6F3F8A8E533F0903863F3DD47A3FD5E4703F29F2853F9A526B3F4EB4883F0342743F7ED5863F0059833FD74D6C3FA2C75E3FB270593F5D55823FEA167A3FF467683FF6B0873FEBBF5D3FAA2B7F3FE68C7D3F1A86683F09278C3FC30E713F2CB45A3FB2F68B3FDBF7563FA61F953F63C5823F3B628D3FFE585F3FAEC9873FDC06813F1E39733F4A5C623F64C4683F431A863FB0E18E3FB67F5B3F0F2A7F3F6FD8653F7B89843F902A943F5B98693F806C7A3F6770893FF5B5673F2A296F3FF0816B3FAF96813FA090883F24178C3F6907573FA68D8C3F8F9A613FF5F3453F4F8D913FA9E0613F04E1603F2576773FEEB2703F60FA553FFFCA803F00007C3F0337773FECC58B3F4353533F77DE663F3FAE913FFE5C803F15866A3FF54F643FD8FA913FE7BF863F06F4903FE02B773FCA7E873F6B35863F640C813F2E75833FA12F8B3F9A6B913F35B9903F9DA48E3FC646673FBA35843FCE1A7E3FD0CC863F7AFD7C3F971E523FCED48C3F7A5A6B3F91EA7D3FD50C873F8BB8933F01BF773F2C8B823FF273903F33BC703F7A008A3F484B513FC4918D3FFBD78C3FD5EB863FFBFE6E3F8CCD7A3F0BEE863FA563793FA62A723F31C56A3FCA0F863FEC01833F8897853FBE47923F7717783F38D2963F140F703F202F803F13F8543F3EB8863F84608D3F2F5F8E3FA69B683F4BC98C3F1957753FC1F47F3FF179843F346A8F3FF6FD623F24D4713F2824843F8DC6843FFE3B8B3FD14F8E3FD532943FF1AD863FC796883FE8CD793FD6CA6B3F0E38673F9A43723F888C7E3FF6626D3F6175603F943E873F50E77E3F5D41803F8554873F3FAF6F3F9A90773F5DA4883F53E0653F96AE703F5907883FF4E46E3F8745703FA496933FBAE47A3F9A978C3F0E927F3F15158F3FC61D9E3F16B08A3F2085853F63F67E3F72AA7C3FB128553F54DF573F8C79663F1D1D913F89886C3F5C0B7F3F4A1A8A3FCFF1913F46F64F3FE401633F8B7E533F035D563FDD26753F3413813FE4D6623F0D5B8B3F7B23723F91D2963F9E7F833F57C8903FAB72633F040C713F2901953F1E498E3F7C95933F492E973F8CAD333FE74B663F7E11833FFDA08A3FBA9A8E3F1CC2893F9ADE643F7FD1863FCEF9803F86ED723F47A9833FB893803F517B823FEFDD6B3F54148B3F94B58C3FB064883F0BB0863F32CD893FAAA18A3F7142593F3685803F94CF723F34CE463F99F4843FC0008F3F8308733FBA5A713F5269873FA2345B3FC9CE813F4502843F0AF08A3F4616993F8FFD873F47A4803FB4397A3FE6AF683F8B918C3FDCD46A3F9656933F7A06503F8E518A3FCE72983FE9BE803F266D4A3FBADD933F2ACE813FB9088A3F68407A3FC0EB623FDD55983FB4F87E3F1363783F7B1E833F8BF34A3FC2916F3FB22F703F94CA8B3F66BB7B3FF615933FBF83843F66F5823FE6417C3FBB0E8D3F38B98B3F366C7C3F29FD773FF2FD833FC1AC9F3F70DA733F21756C3FBCCB7C3F3C63913F6B14723F2CA36A3F9D7C7F3FB9765A3F9750893FFF887D3FBE3D7D3F2F456D3F4CA08C3FD8627C3F81C5833F7C2C813FD67DA33F1863913F4109873F84EC7C3FA1B93F3FF7D3723FF3AA773F27817A3F2F8E673FCC43803FB8A6813F95A5923FA1E1753F1D4B8D3F91E4893F2269833FF26A683FEEDA8D3F0BC8813FCE628E3F67EE8C3FAC598E3F31536D3FE9767E3F5F9D873F7070993F440D5E3FEE9C713FD3D8943F931D6C3F8550763F5C5A6C3FBCD6763FB38B773FF76D653F92B9753FF000283F18EB723F6326593FE9F8583F64D5813FC2567F3F525E853F105C833FA3E39B3F92318E3F2100923F74838C3F2818883F8B2B3F3FD5B1913F5996863F016F363FA081833FCA40833FE72F8A3FE42C9B3FC37A773F00F57F3F5317973FE1817D3F1C3F843F9335953FC5F6803F86DB963FDD74503F4117833F2198873FBF32853F58C7703FCAA29C3F0AFC6C3F8B4A943F36E95B3F77A4893FA7ED593FF94C8B3F5EC0743F65AA863FC3FE823F0BCB773F5E7D843FFCC6953FFFDC8C3FB942803F4865843FE5B5813F08CF803F2E77603F8A356D3FE54A703FFF36903FF6FA8A3F178A803F1239813F6271A93F55CC813F4012643FF9EC723F8183763F06048D3F1219923F2B9E5E3F18158F3F2DDC793FE7FE773F6C057B3F1403873FAF8E773F729E693F5A75633F9A20863FE557613F88E1953F04D5663F9E71953F28477B3FE2D8A13F4549873FA0668E3F17D8843F097F803F77F58A3F8447783FA688833F4D847E3FBD69803FC5746A3F9281463FFAC1823FB804853F76547B3F4F63683F12ED673F5AF1743FD65C713F2D3D893F7D238B3FCE45823FF57F753FFAF2773FB045673FB4D98F3F6201673FE9C8863F92DE933F6742853FC0A2803FA63B833FD7FE6F3FFF75793F892C6F3FAD16873F3C7E7F3FFFE87A3F9529823F1CB2903F5872853F18248B3F061D563F4204813F7CA1603FCA09903F5DE6603F0796823F5AB1773F0333963F1E32953FD2DA5D3FF9795F3F067C913FF4AF903F5DEA843F3479893F5479893F93108A3F829B933F97E99A3FFECF6C3F7DBA8D3FCEC2473F55E6643F42F3773F2DD2913F2ADB7C3FD998803FC003963F1446803FF05B663FA1589D3F06788D3F4EB3843F913B7B3F48BA8B3F12458B3FFAB4853FC3C38D3F363C5F3F9FD79F3F61239C3F9D9B593FD1268B3F53248A3F10E0823F93A0633F941E643F18879B3FE33F8F3F0E37A73F9FFA653F4C607C3F28576D3F9CF7663FAB2E633F0853763F6E63933F723F503F0CE1873F5F328B3FAFCC743FD389653F015E603FC792783F52FC843FDEEB7D3F84F2803F51C36F3F74E1823F46D5853FDC6D613FE0698B3F5F9C6B3F8EDF863F1D7B833F116C893F58B4813F77E2693F4FF7723F19696F3FA9F6853F92098B3F188B6D3FE376813F1CB6803F63E3663FE11B843F9A897D3FD881813F87327A3FF84F873FBAD58C3F553D753FDEC0813FB82D783FCC13893F9D84653F4048823F47AE813F845D813FD6F2703FDB494D3FE86F883F62E7893FE204763F2E10613FDB17893F27D54C3FBE256B3F457E513FA104813FDFF3853F22F55A3FB724B03F864F913F2FB8573FBA373E3FFEDD893F689A8D3F922B5F3F580F3C3F708C643F9106913FF54A623F22F76D3FC4CC843F600E7E3F609E6D3F38B8823FBB82993F8856803F0C2E843F7E1E923F37CE6F3FB2CA983FA999823F02FD7D3F3E81763F780E883FAC808A3F5C5C7B3F6BEF7C3F9328773FC7AD723F7871793FB8225E3F4303773FD685853FABBB8B3FCBA6653FD31B6A3FD502683F9C207A3F5C67873F8EA1663F00A9793F171D823F0F958B3FF3F3543F33B2793F904D7D3F042B933FA500933FE618893FC0D1953F5E51853FC8CE7B3F2851863F0C5A893F8F72723F6D5F753F52769B3F21F27D3FF2F1803F1854913FDF035D3F49E56B3F54B76D3FD377623FFFDC583FDAB4963FEA32873FACEF733F99DB8F3F68F4803FD9556E3F903BA53F5D907A3FA2A5673F517C8D3F80598C3FD0595F3F76678C3FE752933FCACC873F256A7C3FE3208F3F5D7C993F"> : tensor<768xf32> to memref<768xf32>
    %41 = loop.constant dense<"0x201959BDDE17423D6BD869BD7BA812BB12C4B03A0C6F3D3E3311BBBB5A9F9B3D982518BD5594513C8B70AA3D4F1FEDBC172795BD17C2593C5D7D683E4A0FEBBDD389923C830737BE837312BB53EF35BD2A8C8C3D0BB096BD2FC516BDF906A43CFA18E9BD74FC803DF82C843EDF88EB3D7BC38ABC61AB413D67E8A03C72E235BDE4DB8D3DE216373D4720ABBD59F995BDCCBC113B573E35BD37ADC9BDC305BDBC076A9ABC9FC16BBECD2C923CFF35193C260B2D3EB24C57BE6A2301BE2D4EED3BA4D6083EAFD2153E97B611BDCED8BF3CC90335BCF2AC51BDD1D491BD9E34193ED284A53D7DE2D7BD930F483DEBB1903D570EE33CBA322B3B4B459BBC00E7243EBC952BBE5AF82D3D2C8A9E3DBD9D183E1AE019BEC253C73D1486B2BDC4E306BE3DF6F23CDF11C6BD5B1317BE08363ABD9F45CCBD7B56D3BCAFD6AA3D4869443E887591BCDAA3053E1990ABBBAD58EABBF75269BD2FE303BB6568CBBC6F4728BEF0C2803D0A59943DC1BC453EEB8DA2BD5C1F31BD4FE407BE5242E3BCC20611BD11A291BDF72D433CA2990ABE80ABCC3D185DD0BDD739463EDB588DBEDA2B53BDBFEA83BD5BFF7A3D34C586BD859291BD4ED18A3C642F05BE8022D43D90F2653D97A3C33DAA222B3E2B7D443D77BC343E2341573D42A9543EBF97963D28DF913BF5F0523C844AA2BCABC297BA1393163DE859083D99D120BCA8E5FE3DEDF1763C22C6D3BD0B00C5BCDD059EBDE75EC7BDAF90433D9257FABD074C3C3DEA23713D25485CBD1B9892BDCA31CD3D9AB2083EA71F80BD285E683EFFE7773DD583D93CD32668B935819DBD1FCCD83DF1F18B3D25C0733A900D843C20DFE63D48F0D83DD6CF013D87373DBC9550373EC3F5953D18B0593DE340DB3DF883753DFD7E1DBE15EFA23D2BBE41BDB867F1BC616E1ABE751069BDB38C0DBD03C8DEBD7E601F3D0D617DBD6246183EFF27C5BD35CE49BD13160CBD76E682BE4D2F82BDC5BA533DFB8A1DBD774BBF3D3760D73DBA587CBDEAE272BDA72A083DB3C81D3D3FA56FBDBFA9343E1051D4BD1F4216BE10B75B3D9062613D37A179BD369CAB3A13E9C93ADBEA9C3DA7D8513D706D0DBE6394143E18629DBD653AEB3DEB2B853D300607BD025B82BD6496A83D8F3C003EFB58E7BA0BD257BD08F854BEFF42833D982391BD9AEE033D3349533B4D0ECC3CE4A0AC3D6E142F3D0FF5713D67A254BC60ACDFBD2BD00CBC4A31E23DD2DE0CBEC3B680BE531B9BBD43656B3C9B2434BEB9439CBC62B5F0BD17ECF6BC2ABDBA3D9BB0BD3D01D04A3BBE8C2EBD0A5FF7BD91708D3D24AD28BD48AAA9BB1FCF07BD734A08BE56ED8BBD68F5E7BB46B70ABDFFE479BEB14F83BD2814A5BDCDF2B23D2A8F3E3C8E9ABA3DA7AFC73CD362DE3D0281023E9A8FC7BD5056E33C10ECCC3DC8DE17BC3A9E1F3E1331F03CEBA4C13D72B0803DDD7C7C3DC7A608BE687F56BDDF5C45BD0BB3B23C78A2D33D173AEB3D83B98DBD7F305BBB6ED79CBC68CADDBC05844ABDA2E60E3E3A16173E598332BE968940BE078C3BBD7D3E09BE9733F43C6BFC183CE94C823B881C003E83D407BDA87C383D4AB9F0BD6F7D51BC742B9EBC40CB2EBDFB2D0EBE1B1BDF3D7703EBBD60F6503DB8BDE83DB9194CBDE33C50BE407A75BC727F2B3E2400993D62AF073DBDCEA73DF2E7E73D030D92BD0FD62B3E2BFE81BCDF2B00BE1AE9DC3D8B40323DB2EAE23CAD52713D6F25033E90A1AABD332B2C3E6B17E73CF6089D3C9005373CAF3E1FBD53D51BBD15562DBE221CA23D3347F6BD0F5C16BDF9160ABE03CB2F3E5DE985BD726DAFBD6F96B1BD744328BD2533F4BD809AF03D1823553D8AE1D03CD0AD893CC7A18E3DF376D9BD88461CBEB0C7EFB6C612813D235FF6BDB5318BBD7B9506BE38AF08BE80A89EBD55C1C43DFF8EC33C1748B0BD9F25013E78D420BEFC0646BEF77825BDBB74843D4A3AC73D8EDEC5BCCE3F9BBD7741FE3A50544DBD1EB2BC3CD72E12BE3A9FEFBB84B6AD3C6DE1CD3C0F7B363E4FC58ABD4ECF103E16CC1DBED47D343DDBAC99BD9765993AA761C93C9F1C713D2BECE1BD30F111BCECEB023C1312563DCB9E723EEE55B3BC61A891BCC2F6F43CF247BF3ABB06AC3D20A24D3D8BB45EBDD1D8A33DD7E2ADBC4B6E05BE22DD01BE9FB0A3BD15E7EDBD2511ED3DB24537BC5806583C760ACB3D051D113CFC37003EB816B93CD365273D2D791FBE0CC216BEA7478E3DBA6B66BD143117BD2B6615BDEDE3AABDAFDB5CBEC03A0CBD1BC3853C0862F93BDC6B263C0A1612BC940B833E1498BBBDF4B4253DDD22B43D7BEE94BB071463BE07CB6E3E0747283E07011D3E530C783DDD214D3C55BEDA3DBB6E353DCF0C86BD378C9EBC8AA4A23D30E830BDD56B16BE2DDB32BE070615BDE7E749BD2BE034BCF01C453E30AC11BD4C6801BE4A87BA3D53DEE73D140645BEC55F4D3D8120A0BD0F3A07BC7F8757BD8360943D9D49B53D9B4754BD3AFAAD3D9B7584BC08DF1EBD5D93DE3D907587BDEE8E0A3EC6FE123E155A023D8C6E31BC11D008BEA774663D303BA9BC83478ABDD17A25BD5F7DF83AE592CC3D49040EBE2E128E3D55A89FBDD1089EBD50CBFE3D4DA62ABE3860C5BB8B7160BDD8DA383E26513ABDCB8F153DF31DA0BDD93BC73CC1738A3D61D139BE823A13BD9046203B7755A83D7C90C0BD1368A93C9B6AFD3C2F02BB3D9B2F3A3D0D635F3EA863EE3D7FB108BC0C228ABDC39B08BE53E2013E606199BD6A7401BEFE4E803D67F5C23DBD1B9B3C6292F63D3B94633D207196BDE56E39BC8D7412BDB06FF73D7D08593E5B3C70BD70062B3CA3CC81BD4F74653D00095EBE65FAA4BD440E3A3CFDE55CBD3021163E7017133DC73075BDEF237EBDDF13C93C0F20C83CBE0201BE65FA15BD3F6C0DBC51CA333EB6561ABE9F32B9BD2217493DB6DD363DE39E763E6C0B41BD13815ABD832A2A3D3B657E3EE39733BDFBCBEBBC20DB5DBE63163CBCAE1C223D1B77E93DEA9696BABB6BB43D2008E2BDD8257ABD9848AD3D51A2833EC5F0893B82C0D43DE2417C3D73A7293D32A2813CBD11E83DBFEA5DBD56241A3E0CC41E3E5F60123EC6BA42BD80B3513D0EA6ABBD97DAC33DA17E1CBD77ACAABD8FBC373C5345533DB37885BD8CDE87BCCD51153D8D1C9EBD543219BD70EB2BBE4B70203EF3088EBDCFB48DBDB57AEF3C740D923EEBEF13BEA737A0BD4F9E823DE1EFA03D505D553D362C103E325552BD1368E73C7C5F9E3C1E5E44BD20F7933D5AC4E6BDCD4F743C698F14BD9A341ABDD32002BE38DCB53DE3AB643C486FE9BCD2EC313D1E1182BD43E1F43C68B29ABDDE05ABBD10EF51BD3C791FBCAD537C3DC11EB83C45094A3D53F3643D43B127BE1B4E7DBDA03570BCF7EB593D8F8485BDDC0837BECA80E1BD004AB1BD8AD4763C1EAB333ED0EF0FBDFF06A5BD1299D43D1DCFD8BD55E7803D1F291FBD7BDA43BD6349F03DD9AB263E028121BBBCB4C6BDA7F7BF3D44D395BDDF0F9ABC2485033E1CDB813D43A24F3DB5DD74BD03379C3D4BF8DBBB8BB59F3D4C89A8BD7ADB7DBD1FAE3C3D69290C3EEBBFBDBDBBF4113D0915313EFFF4393D13176F3D1F2F483C12DDE7BDF105113E33791D3D1FBCAFBC5139383D7243463DF301D2BD30A907BEF8D9EC3C8BBADC3DBA71DEBC07CDDD3CD7738A395F26763D7BC1033EB076AC3DFF220A3DAB03A03D7EA325BE633B2FBDB8851ABE7A548CBD70DDD53D425AFF3CDCEA01BD0817BDBC9FE226BEBF889EBD9DAFD3BD03F8763E2263153C53550ABC6F759CBD557CC6BD352D34BD55EFDCBDA88E473D0E6D2A3E9368B6BCA3DD313DDB5627BDBAABA33DD54D923D6F1CE0BD7ED79ABCBA318EBD8B91F8BDC7F2813E2F336EBBF7438C3DBF4C4CBD806C19BD3A84B7BDE381D33DAC0346BDACC6203EFFAB7D3DAF42853DF1D89BBD7763683D1DF4E9BC1BC19FBDE910083C3B54593DBE8E24BDAB5227BC9D0E603D2300E0BD0BB11CBE2B8B863D86973C3D8ABB2F3E78A6CA3CFBDE1B3DDFC2283DA6A8B33D13301D3EFAC8383E70A4323DD45B02BE2AC8A83CED61273CC2CF223D3F0301BE000E183EC272C13D3B68E0BDC8EE4BBC5F2CD13A293C453E970524BEC766BF3A84A6093EA37851BADFFAAE3D7FC448BED3F0013EED5D01BE41DBA93D8DCF6E3D9F8C71BD03D5B6BDC0BA80BD317EA1BC5B04A23D90778CBC54F93B3D4F9E143EBFF51D3D58CD7DBD2F960B3EABB5413C939ADBB983415F3C0BD3693DAFAF6EBD9B77BD3DC8C1683DA3AD933CBF11E93C4055F23DE1C0893D0FDC2FBD33D2143C5068A6BD527F2F3DCA3051BDC79010BEC46A32BE28F85D3DBF03A73D632839BD15C754BD"> : tensor<768xf32> to memref<768xf32>
    %42 = loop.constant #opc.blob<tensor<3072xf32>, "", 0, 12288, "0b2125450c2d5832e52ac3f02a9e37944fafd3f30a46fdb0ef2c5a2db151b03c"> to memref<3072xf32>
    %43 = loop.constant dense<"0xA45438BD9E2B31BDA6580FBD1CE70ABEC26F5A3CBDB605BE6D54CBBA8F9966BD920DEABD7EA9083DA0F2E43CEB7E09BDB8BFC6BC375ACC3DDB011A3D4865DBBDF54AE3BDC5DFAC3CE7B7DCBC7F8CD4BD93B263BE1A29253E90FC76BDE761B2BC4451C93C1DCDC2BC13E18A3B33309ABDA8BB24BE0BCC593D55DB893DC38C413E2E662ABEB6310A3EB28FDCBDAD785C3E736CD33DD533F5BCEBC321BDEA6F5BBA8E5A4BBBFD7C88BDEE2FC2BDD3A9AE3D6B0BBCBD32DCC03CA79C3F3BFBBA433DC022733D2F2AC7BDCD1D6D3D78EADE3B857B70BE34D58DBD38F0FD3D6E041DBE5FAF1EBDA4DCC1BCC3939BBC1375FDBD65B3863DF724E03C27C6C53C6F31E6BD83AEFCBD82A2D4BCCA0AE33CFBB0BEBD32B80EBC236AB1BD1ACA2ABE633433BE6BC18F3D337632BE50993CBBD501703DDB3284BDB72077BD1606CA3DB91C0EBDE50E63BD60CFC6BD01B486BDFADEB5BDB20084BDC81E59BDB221D23DF024403DEF70FE3B76E110BDFE2BC43D8E489A3C892803BE0E58A53D266EAEBDC32A1A3B4D376DBE2BDDB9BD4A58FABA337DDBBDC3DDE13C929B903CDFCDFCBC4317E7BD1D06603C3754F53D678F6EBE6CA113BBFB0B123DEDCFD3BC23C619BE8123263E6CDABFBD53DD063DB00AFFBCA3B24B3D307B053DA9488DBDF5AFEF3C6057333D65CA9E3D0DCF523D3B50BA3DFD6B58BD8F6806BE25D6C5BCF8AFF93DC5A014BDC87BAB3DF33FDE3CBB77C5BD2C973D3DA5ECC93C466A1DBDBF97043E694C203D954206BC52F5913D7AF4203D9B8B023ECF900A3D0DDC67BDE9FB403C201504BEDBFA753E63D7B83D4D7A513D040C0E3D575A9BBC329014BD84508C3C1B5F023E158F1F3E063508BDA5C48DBB3A9AE83DD81EEE3CD225113E1061FF3C50EFC4BD1FD7B03D898BBDBDCBFE94BD394005BE9F5F1E3DAFB3A8BDD5904BBCC3D0AEBDFBF6893CF59ABD3CA89C90BD85BF5A3DD3742CBE52224E3D275FD73DA3E9A33D697217BD0DD53EBE3F6E5F3E1083CFBDA2D339BCEFBCCFBC5AD106BEAF1BADBD0A6BD8BC77E899BD75BCEE3CE24456BD655301BE0C4B093B03F5293DEFCB063ECA24DBBD90A908BD4F1FF33DE21E183ED70966BE2B286EBC78B1B5BC3AC75E3AE280E73B53F937BE0EBA483B53614A3B5B825DBDBF4B94BDE381A5BDA1AB2E3ED92219BED0BBA4BC7512253D9FE0583B53A5F43DC3851F3DBF65A43C981E873DCB9FD7BD5FD1613DD3038CBD9F75713D778EB2BC804F7F3A0931B4BDFA6AF43B5B6B79BBB75548BC79590B3E0B8E1DBD0308B23D71F112BD2ADFB23CD54ABE3C6C2B0E3E3A2AC83C41D6B23DDF8CA6BD9FDC5BBE7D36B23DEB738F3EF3DB18BEFF9F63BD300F02BE8B785F3C075C9FBC4B3611BD73B57ABCC338FC3C365D0EBE81D6833C61C9AA3D291EA2BD07C792BCB37CA33DEF7BE43D43A6FE3C3DA84FBD427E38BD27DC1CBEB507CF3D53751D3E52B2A43C4E6AADBC867B183E8A4DD03D9B97B6BC2FB0AB3D7448943D3E8EC1BDA38621BDBA7FD7BDFAB409BCF396AEBDE70C143D4878733DC88CF4BCC7C9AB3D7BFE7D3E98AD2E3B9759BABD0F49D0BDB70008BEAF72263DC731BD3CD32517BDAB46BC3CB26D9CBDAF0EB53D1D707B3D5BCD8BBDE37E35BDAB2107BDB09D283E97C7A53DE361F23D78F2F43D81AC473DB75620BE9477993DBF59923DE30C6FBD15C450BECF5528BEC78FACBDBF0D83BD79AD883D1F5883BD6551D6BCC05666BDA8C4CE3DF23D3CBE2B87583D1452CBBD0C7B2BBD3DB1CF3D796249BEB821BC3DDBF1113EC5683C3E2080CCBD4117BB3DEAC2CE3C5A7951BD70CD76BEBF4AF6BDCAA6D7BA142A2EBE93182F3E0DF50A3C6FDA863D95E95E3C13792ABCA80807BDD2C51C3C072D223E884D5DBD003D66BD1F8E203DAB0913BEBD551C3EA063563D9BA20EBD87628F3E991F43BEC720CABDEFA036BBABEECABC7F328F3B9B82A63D18EB5D3E0A4EC43D82EE71BE1D9B94BD92F4F0BC35C2023E57DF01BC3F3C89BD105970BCAB19C4BC13AF7BBDE05FEABCD9AA95BD5AA6EC3D69B58ABD4F1152BE3631953CDAB353BD54B3ADBDF833EBBD3B1ACFBDDE2A2A3EED4718BEDBB30FBD2705653B61BDC83D530241BD485CF2BDCAD7773ED834D8BC01A4A2BD07FC103D0827D8BD2B09F13C2326763D11E7003DBD30973D35B108BD7B69183D09B118BD9A2D983D1612ABBC64F690BD6771C13D47A283BDF68D0A3E53887D3D85F9AABDE2CC66BCE2A1953D03F8BFBC648C313D35B3123EA22CD23D0BE2783DFB604EBEFF71FFBD1FEA253EC32C50BD9DA519BD9F6BC2BDA41F01BEFF1D8DBDA2BC223D80AFA6BD37E0E2BD7BDF9EBA2C0400BEDBE75FBEC09A5D3D75E4E43C021626BEFD151D3E63D5553D393138BC17EFE63D6517013D92FB873D1BB9B03CBDC3543E4E3307BD1E75243D0F79673DFA07183EF36A03BD1D9CA1BDFC6842BB60EB7C3E1319DFBDE92F843D37C80E3D098098BC7F0F61BE218B823DDC5B42BEF37914BD6BF043BD46BB253D30EF593DB35EE5BD67F7E03DE459C6BD0341FDBBFF1ECCBD8200AF3D069D06BC6FD2ABBC6110B7BC1777EE3CC0586E3CA80D9EBD6F0A9ABDD3C738BEDADE223D0CA3BFBD0FE47E3C7F5DA83D74202C3D4358AA3D2B9C883DF105233D9FF2A53DB55D4D3DB15A0F3D0756C23CA7479B3D428FFD3D9052DABD8EEE1DBD9D8621BE3E6B143C9DF175BEE10FB5BD957F80BD91732A3E7D6206BD4183063EAF49E0BD821F083CE5BFF0BB04323BBE7AE60EBEEF1CF6BD49CC3CBC5357E8BD2B676B3C365B373E9356943DAB621E3D4EDB113D7FD9B1BDD71BC03D4E411FBEFECB8F3D48C655BEE3BB38BDB393C5BD1AD90C3E5309A93D17BC5FBDDBCD9DBD625F223E37B4A4BDCC16A2BD57D0F93C920413BEA2D9F5BDF4C0BA3D00852C3D43B0E8BD034F6B3CF705963DBB98B23DE30DC4BC0034783C802539BD0E1A053E6ABD5D3C5D7ECF3D17528DBD843B80BC3F4A303EB321E0BD6138AD3D1B4F7DBD034CAB3DE7F1AF3DDF931F3ECBA93ABE6835613D07A6CBBD0AF4C8BD4D7AEDBD5C592ABEB768D2BDF102C43DC5C3D53C62E0C23D96B62A3D9718BA3C815EA1BD80724BBEB3428EBD93DE0E3E3C599E3CA740B93D2AD8E73D637D20BE97B92B3C0AD35CBD9B7CEDBD0548F43C9ABABABD5D21C43CBC6788BD5717D13D9216553E75A368BEA720B7BDB56718BDA443873D70B0233C3D225BBB56FC493EB8D50FBB2FEE23BC3304193EDE6C88BA9019A83CE77162BDBB8B023E711E31BCD6CD04BE85B80BBEB111CC3D2726B3BC3C02BC3DD26B96BC5AF77E3CDF2C80BDDF793F3EA23554BE2305DDBDB758653CFBD6483CE49E32BDB3C52E3BB7C2AF3DB209C7BD52F7663C2FAAC6BDBD9557BE6DA9823D13127D3DE193AE3DA070BDBDA36C3CBCD0F892BE302BEEBC7374B2BB6C379C3D839E743D0FCA8DBBDBEC3BBE8062543D19D918BEBB040BBE40E7F7BD7B468F3DEF6F61BC08B82F3DCE0E0CBDFB7AADBD4A7A9C38821BD7BDB3CC9F3DA7D503BD91F215BE9F96253A9737A03DFD7BDBBDCA992C3E05B914BED43701BE5BCA073EFF05B63DC15A213E0DB47BBD6842AA3D9BE6A6BD2D0B1A3DB4A7093E701712BE96D618BECA6E20BDFD33A03A4209E3BC99EB1A3E6CA5913D83E370B92842D53DD9B2053DB1E83B3DCD5F97BDB34C3B3D1FE2153DD5C8CA3D617F0E3EFF9755BE8D6E51BE531E23BDCBA60BBEEBAB99BC6553F5BC4F262A3DEDAB183EFF3FFC3D53281B3EBDB7A0BB50129EBCAF03A2BC47A538BD7F87573E5FBB51BE3F3DE03B7F521BBD83C9433DA599233E3F8EBBBDBD903DBE93022DBC1F48BC3D2B308FBD8111B83CF86160BD0826D43C1D1AA83A07DD2CBDD7DCBCBD024ED0BC3ABC193DEA1F0CBEF2A6EEBCDDA134BD092F2E3E3F4D42BDD643023EB90AB4BEC0D450BECC8C1FBCF5F361BDD3E6A4BD9AFE813EFBD2FB3AC3199D3DD34B56BEAA67D3BCCAB53A3E0E0307BBC6610EBAAA28843E77D3EABBB20995BB60F6A03CD78C973D19E7B03DBE35803E974B243E2EE4B8BCA3F556BD2A2652BD7D6D69BD96062B3D62269D3D3751993D3352CB3D4475A8BD5A034C3E1A7213BC82C00FBE712E8F3C7A3832BEB5DA0B3E70C6353D55219CBC6B7D743C44B09FBDABE7083CAFE6B0BD2FFD03BD2A3F65BD6DC35CBE6E06B83DEACEC3BDBA77963CC371A9BC0A1B013C1D2694BDEAEA0D3C7B4429BEB76D57BC1B910E3D87B73BBECF0321BEA7E11C3E56CEB2BC0EDD91BC076A813D803C26BBFDD7DA3DC51AFFBCAB80F03D09D19A3D1F0AECBC278E9CBD2E7ABC3D3E9EC23CB4213DBEF11DBE3D4BEF2F3C"> : tensor<768xf32> to memref<768xf32>
    %44 = loop.constant dense<"0xCE49833F433C803F5C7A3E3FE266713F2266693FFED5963FDA82743F22C4873FC37E993F7FFD843F1763883FB47E763FEFF4803F37E6573F5180733F4F005A3FEEF9853FF0D65C3F4C14663FC1DD753F394D593F3CFA7E3F852E7C3FA391703FF8706D3F7D7F743F6051633FC8816A3F1146883F1445543F72787A3F5DDA843F5053793F29B6903F503A883F9E21943F9198933F0B54813F714F7B3F4A80973F7740673FF4EB5E3F77A65D3FA2CE923F5F3A843F31C39A3F50F97E3F08F38F3F7E2D853F1CAD623FBD7E7C3F5A3A6F3FC83E5A3F51FD763F53D0903F9D59773F7F8B743FD5CD923F3AEB743FA34F943F98939A3F0664673F2825813F5B9A7C3FF0575E3FF71E8F3F7A4B653F92828B3F7584833F3076923F7D66793F4326803FC0EF643FD9B8813FC857943F5753973F32623A3F7E6F4E3FDB6E763FC58F833F8E40843F09F08E3FFC6E713F8279883FE4D58A3FB03A6E3FB5AE703F91EB733F1D5B853F3333843FE5487A3F4582753F73D08C3FF1F3813F0EC2823F55E27E3F1437513FD4117B3FCD55783FE5828F3F087C583F1EF1803F089F803FCA45873F553D893FC0CC9A3F6D8E843FAB4F643F80F16D3F302D743F4FF08F3F6FC37D3F1A916F3F4A285E3F7B407D3F4E867A3F98C0683FA52F8C3F53F7553FA9AB9E3FD287713F1054853F8788613FDE33783F8CD4653FBF038A3F9D208F3F202E3E3F309E733F6097943FE6185F3F6909833FCEE8803F41FF8A3F15F2623F0C15683F91E5853F2B5B843F782C843F70C1503F6C15813FC8FF833F5D08543F0C72893FE340623F0222643F3C71843FB77A8F3F4DC7533FB6B7833F7E998E3F5A8C853FAB10763FB953723F3AF7783F307B8C3FEAE0713FB8B8693F80468B3FE7BD603F9AB0503F8E818E3F00B78C3F55958B3F1200893F4E24713F2E07853FA1D65F3F7D50613F5CCF753F1B7C693F1C20833F24D6813F89A46E3FFC07933F6BD18B3FF1D18B3F348A8D3FDCCA953F011E623FB0F94C3FFB3D643F7E6F873F4ECA8D3FDD446F3F892B853FDB48623F94BF4F3F7E9F573F72445D3F521C823F42628B3F88D9923F6D82723F2478933FDAEF813FD7A05F3FC510823FB8FC893FCE90793F1D9C8F3F94725F3F01667C3FB8D9903F7E6D6A3F30465E3FF9AC8F3FE5704F3F534E853FD23E703F9595693F1DF46C3F4034893F3E2A913FCC2E513FBB757D3F14AC923FC815963F33FE883F452C883F51B9893F8892573FBCE0863FEDEE873F10437D3F091A8D3F193E843FB53D923F6ECB703F24FD733F7C8C863F86695E3FE6D09B3F69264F3F4AC4803F58D9833FAEB2913F696C633F50FB7D3FEA82733F4704843FAC88723F75CE7E3F1B50843F96C1593F87FD753F807E933FD8AD703F1C1D803F4E41873F42A6953F5DA6843F1C546E3FF2C5933FF8798C3FD8456B3FF393603F69B86B3F11C3553FE65E763F902B6A3F1199703F445B703F92AE8C3F1CED7C3F95DA863F41CD823FDD7B633FEE18603FC8EC673F6FEC723F01179E3F4369823F5D988A3F66D56B3FD8A3843F1150853F5666863FCB8A863F77FC833FEF7B593F7380893F0EC2643FAD3C7E3FA9D5853F37B0853FDF476B3FB4607D3FCD314E3F3B24853F1DE25F3FFC54613F53FA943F4AAB853F91198F3FD46E8B3F015B8A3F0C4A513F6F4F8A3F2319903F0C4B6A3F9E6A6C3F6AA1883F8EEE883F9FA8863F1D488F3F1672853F28AC8F3F26E2583FFDCD513FE757843F3F887B3F33318E3FC743693F1B3A893F8FAD843FB6F3893F3F79763FC0A95F3F91348B3F1AF95F3F99DE863F0D9F533F3048733F8DDD713FC87F833FCEA76C3F970E873F0D55823F96F0813F62748B3FE681853F79F1713F58035E3F62AE883FAE9B7B3FCD5F873FEE408D3FDFEA893F8856953F15D36B3F78F2973F3FE18A3F7EAA833FFC3A7D3FC76E6E3F2C50903FE398753FEA66733F2901643FEEDE863F6B89533F8BC9933F52F1683FFFCC833FFB60873F31A4893F3328773F3C805D3F99227A3F9C51753F20A6833F8692713F3DB5883FEBF4943F73D9813F6D17933F99BE823F133E803F099A563F07C5823F5E28693F96554E3F4016643FB037643F232A7B3FE330783FD7CC813F16CC723F0AEC5D3F2481903F9B5E8A3F78FD833FA96D4F3FB517903FE14E873FCE1C973F8AA4293F5759793F3E32923F44B07A3FBDBC843F885E833F6E827E3FCE808D3FAC75633F50D9443F20948D3FCF2A823F4E8C833F8278713F0AAF603FD2125E3F985F753FA8DD5F3F9C4E623FF11A793F62E1723F43537F3FB115853FF298813F6CA47F3F46A5513F1777773FBE2A863FAC63693FCA915D3FBC36883F3010903FC0AB583F39F97C3F346D7F3FE5018F3F102E933F7951613F0B3E8F3FA8EB723F0733893F9BA4863FE819823F015A853FEFEC913F7182683F85256C3FD257883FE87C7F3F00B6863FFEA7813F59B6843F53A98F3FFEC28A3FBFB9893F4FFB8C3FF1F57F3F5667963FBC2E903FE45F813F552A923FD467853F352C773F0F90773FC2B1533FC101763FC8D47F3FC5855B3F94CB6E3FF2DC663F7489673F6496863F4B7C8B3F87F7693F9755803FF91C863F2780993F972C863F5E227C3F3FA5923F52E3703F38DA523F3F3B863F36F6723F540A853F996E7D3F93C6803F4A4D6B3F1724503FABE8553F3B40823F24C3993FA5316D3F94E38F3F399C913F37426E3F1097713FA0B4823F2D347F3FEA0B8F3F21E0843FE2137C3F587A8D3F198E853F244E463F8381833FC27D9C3F652A693F2A73713F9E017E3FB5E58F3F957F8C3FC030923F40E28D3F023E7F3FA3D8803F4525853FE16F9C3F8FC77A3F7C20833FEBC8573FA578923FC46A3A3F35D57B3F5D56843F36FE593FA032843F515F883F11A99D3FB87A793F69B89B3FA564853F06DB8A3FA1D38B3F9531763F22CC863FE0356B3F3910943F8BD67B3F4302693F23E87F3F94FB8A3FC719743F0010823F0443813F89E7723FF311853F326C813F682B593F32E2803F004C923FEEF3843F4C3F7A3F40748D3FA22C8A3FC983813F19AB713FDFAE7E3FBE68533F280C843FE903823F372B613FA85A7E3F86DF8D3F6F85793FF988903F7E907C3FA7D1863FD548523FD999953F7C1B6A3FA6197D3FC737773FACEB843FADC6673F3E206E3FAC84773FE1BF8A3F8E40843FF49D653FE88F843F5D5A8D3FD01E723F69FD7C3F67418C3FEDD1813FB10EA53F4690533FB053813F6495503FA57C753F2677883F2D5E5C3F0FB9633F8FC19A3F2A9A8A3F44D2693F43D45F3FABF0553F7FD0753F9F559C3FEE00983F270F8B3F022A843F5D26873FE560963FEA58643F422B563F5DD2973F7F3E633F2AF7883FFAFE6A3F48A3663F90687A3F489F843F0A096F3F2C98723F65E5523F1564753F6F21923F54D2813F37498B3F06F16F3FCF188A3F41108F3FA5CF803FCD34823F60D0643F3749803F8271863FFBF3873FF8F3863FB34B893FF5BE623F360C7E3F1E32843F9436783FB4EA863F5C128C3F3DE5933F8518793F77747B3F952A873F7B2C933FCC8B693F99EF4C3FF8C0693F1372893F4B9A6F3F08B66A3F612C593F36BD873F382E6D3FA6516F3FD6FA863F88A2653FEC6C823FB797823FD5CA8C3FC3F3873F38A3873F9FA2833F23DD833FCF81763F43B5323FD0BE5E3FE4E05B3FCB517F3F75244D3F88B67A3F80F28A3FBDFF863FEA83983F2236873FE4A3843F4202753FD19B7E3F3218803F85B0843F2D7D6E3FD2AA833F9730833FC06D8D3F87A48E3FFB0B833F41978D3FD757593F40EC6A3FFAB7623F9C096D3FFF32863FBDF97B3FC697593F14B45D3FA9065D3F9853903F82863F3F6B49833F4189813F7C02983F54749B3F6E74843F25D37F3F60848B3F35C17F3F5D18863F109C843FE2C27A3FAFF4863FA36A6C3F4D8E8A3F88BE493FC52E5C3F55FD5B3F8824873FE16F743F5978813F75DF923FDEB0733F56F7783FCFE48A3FA19C773F6D6B8F3FCCEB873F1E03573FB6187B3FBEBD7F3FF6B7613F381B8F3FA341793F8F2E833FC80C873FFCCC743F96F9493FCBED6B3F5DEF8B3FC206653F556D753F8FCF783F46A28A3FC358543F5DB5643F84A0853FACE2813F7193783F7B18923F2326963F2CC6723FDA64773F1608773FCDB68F3F2B46903F0409973F3609823F95F37F3F5285653F7C16913F3A6D6C3FC1AF833F7C02753FD70B8B3FBBCB753F75FB843F9C70833FFC5F853F3EFF963F88A6773F4BCC743F31F4663FC25B743F44EC6C3F9EBF863FCBE07C3FEC2F843F5003693FA61F303FA4F1723F43C3653FFFE47B3F82DC813F9AB4873F"> : tensor<768xf32> to memref<768xf32>
    %45 = loop.constant dense<"0x2F0871BD0999BA3C5881E0BD469295BDB22A0FBE523935BBDBA41F3D75DBF23DEE9A86BB04862C3D4033A73DE9643B3DF04E003D43072A3DEA70573ECFE3E73C75698ABC06850F3DEA22D8BDDF320FBE131AB7BE05F4ECBCA9241C3E17C3453D840889BC3256903DECA6393C322DE93D6747003BC386133BF161803D707B833D0C29AF3D4B41BBBD8BEF923D622ED63DECC699BD2FA167BD3DE4A73DD16C0A3E8F699D3DE4402E3D2170843D50C66DBDCA9C5C3DB798AD3D8BB99FBD4BF7983C06051E3DBE4228BDE0A6ABBD8B45983D935A38BE1A9F7F3DC5F862BD80AD0FBD45CB313E5B70943D57A8103D9FE7023EE70C5C3CAB56F7BDE77B44BD4872AFBC754761BD15D0F33CA7B681BCE2A70BBD2878E0BD9FC5283D5665A9BCDB263BBCECA713BE8C32363DAB995E3C930111BDDB69483DBFA7EC3D755CBDBDEF10D53D519C19BD59CF42BEE741E8BDD329B93DAC04853D0B6BBDBDCB56CE3BA14803BE996400BEC221293DC1C2303D269B14BE2FD1FCBD02C94FBE47B99B3C439B313E9583E9BD550102BE7B96BC3B7B33A5BC22A436BDB76DAFBB2B971E3E4F0C39BD0F2D1ABEBD0547BEAB5B3B3ECA1CDC3CC09FCFBCB29D31BD5CBD273E634B3A3C80D872BEA9C78F3D77CD59BDF2BDEB3CE7B0FF3DB9FDC83CCE5ABBBDA95517BD0FFAB53EF7AE7F3DCBE8023EDE15A73D454CF7BDF6F749BE9B3D293ED38E0FBDFD0F72BD12E123BE62F9DABD2A5C793D408D073D2F359E3D911329BD0573793DD3A266BC179AEEBBEC93113EB08F613EDDF599BC2484223EF90A823CBDD479BDEA75F1BC51BE49BD04132C3D9D0E663DE7DB1FBDFF6727BC0320E43CD5A2523EBAD0E2BDA3FF913CD82432BCB39C2A3D97A6ED3D057353BDD0ACC43D470334BD445D07BE151D6ABD1EDC2CBE5BC9993DBBB618BC55AD703D8BBF3F3D5F1AA4BD7B04AF3DD24B573DEED308BE2536E5BD9069F83CA9DA913D5B1D6BBD8372063C5FD0E53DB72A053D3F9AB1BBF8BDE83DCF28883DB09287BA5B3D37BC729A3CBE2D6777BD93091A3C217CB73ADBA8333D9F7830BCC76E87BCA00BF4BD18EE58BEB2AC57BEADB3E23C8B66AABD482224BED7B4743C33698CBD3BB82A3EBD5DCD3DE5C64C3D8398593E240110BEBA5AE2BD9FB1F63D373922BE07AEF4BC15CF5B3E81B9223E0EC0223E67C6953C481FBD3D5A4E783D5A4A883C35C1DABC43EB07BD0B3B6EBD97522EBEBAF2123E7BDABFBCEABAB6BD2F933ABEE9FEAA3D4DF62F3DE94D953B105F37BE6B9D053EA0C950BECB31BD3D35AFE13D3CFB15BE5DD42BBD896449BE2546923DCF2A0B3E3125443EBE1AA63C3371D13DE57E1DBD0F2C0DBDCF9595BDBD3A5B3D171057BD4AA1E7BCBC94A23CA3A529BDB76C3B3D5490803DEB91433D88525D3D74FE013E8A9EED3C85267F3CD41FBCBCBA0B88BDE9EACA3DD827D03C3820403D58C5E2BD38ACD43C065AC4BBEAAB1BBECCBF8B3D73F26DBEDFFB713C0C3CB9BDF9E398BC57A597BC6F5F593D1DA7CBBDE2D11B3E8291C0BDEB49C73BA872A0BDF4D9A13D9D7E5BBD7A39E6BCCDC37BBCB8D8DABC04BC9F3C5FBD433D8B6D8ABBC84EF8BD50D3BFBC38E056BD47744F3B1DF2DB3C7CE69C3D4BF19B3DB882623DCD9DF83DDB0CD6BD70CADEBD4531C8BD02B9F0BC42023FBEE8BB2C3EF6373E3EE57D793D2A17DABA3396C4BD5BE9253DB75205BDF29609BECCB7CBBD636613BEF15F1CBD98BDD3BDCB0857BC009BBB3D79D023BD2D172EBEEA84E93D1625883DB70BB4BBEAEB5CBD8A6BB83BAF7FBEBC10E36DBD1362F93D6DB9A03D6501FDBDF00607BE8FB74FBD056150BCCFF52A3DA709A4BDA35205BD87EA823D1B55373E2FBD0A3D9AE06E3C5564CEBDD31B61BDF8825F3D45E0CABD8E3512BD2099EA3D8772BDBD8F53833D38C890BDB2547A3D3BC1AABD5547D33DA3DF42BB79AD03BE634A173D6BD8ECBCE0A6D43D3F13C23D201F82BD50F9D2BCFFF911BDAA51ED3DA3D931BE8244BABD5A94F3BD074C7FBD0A87303D1740C7BD358CFBBD9EB1463ECB98A83D2344983D47210ABE4EDA873DDD0BD7BDF9FDB93C2F551FBDC3BE1F3DF6D38FBD5589703EB2D6F93C8B2BACBD1FF85CBCD0C2DCBC00A433BD22DDFD3DC94594BD2BDDF6BA181CFEBB0A05923DF96848BE60A6D5BC0222F23CAF587CBD5238413E052A973D119A1D3DA3F47C3DA28EEE3C9700DEBDD4D7023EB3A5933C58CB103DB32C533B10E3F33D0784E03DCBC9823C7B03EE3D603B143DA6350D3CA390A73D78116F3B51B0863DF7C8D2BC6EC6BEB913BD023EFF6A403D8CDBC93DCF259BBA27664D3C25A2E5BD18DFCDBDA4FB3DBD1A6132BE156C6E3E15E68BBD2113C4BDC4F646BDEA8EE0BDEBC72FBD05C42A3EBB4CF73C4A26E53CCF8B61BE1DAAC53DF56BDB3DA32536BE5C18AB3D27F1203C33794C3C536DACBC12F58F3DB3DDB53C355C993DD2F0ABBD60CA72BD0D59FFBC263509BE3D47953C4D5951BE58A295BCF09C56BDCB09743D207A183E1346DC3A18F21A3E076B243E9F125ABE5E41483EA3D5EB3CE74E7D3D2B5966BD27662DBE6767293DFF4DB7BDB8DD67BEB5A459BDEB8CEABD179AD1BD008B643E72560CBD8B936FBD7089ABBD2534D1BDAB02D33DBD2A173CBBDC26BD6167183EEFED2CBE3F5A9B3D8269763DBC7380BCA525FE3BFFDC75BCF701663D426804BE213EA43CE7765C3DEF991EBC37339B3D8AF30DBEAF9E523D85243DBDDDAF87BDBBCD52BE7E38C23DF1D1383D7078D93DF7EAAD3CC83E08BEBDA3613C6526F5B83110023D7E7129BD55F220BC4085973DF234C4BC328EC9BD09EC18BD3628223E990AC03D29C6153D133138BE19851D3EFC9FBDBCC4A9063EE16E133DBFEEE83C0DAB013ECE65AD3DDD67823D4A577CBD4E8FC83DA6032BBE6ED3B03DAFC3883DB46EBA3CB367983DC799C9BDFE2A08BEF9A6963D32DDD4BD62412F3E49A1983D0FA3AE3A8FE20EBE5B5BA73C129C85BD788AE43D06D6803D9A3A823D027129BE6A84B3BDB808DFBD5393C7BD052B1C3E2A6757BD160AACBD7889ED3B4C1D313E30ADF7BD13578ABD29362B3E3298CD3CDD2868BD24881A3E1BC1B23D38CAFE3DD89086BDD7D052BE3726D23D52C4E6BDC8991DBE946637BDE28BD83B14E6873BFBE0BE3DF9F8343E5D7B65395FB8263E92F201BD1841C7BD908CB13D382F6C3DD3906F3C77274A3EB8ACFEBCF311CBBCCF7432BC0EC0463DD59B83BD709B66BD80195ABC9FD9873D3378A73B173098BD152DAEBD1F0DB9BDCB7ED13BCD62663DAA4DBC3BEC21CA3DD0B91B3CBE9A493DF542C7BB9FDD03BD6FDEE43BC35B50BC3D7D373E244C343DA8E04C3C36C099BD130F953D89E60B3CCA10D9BCD95BBD3B4BB04EBEC35C27BE32291F3E8FF19B3D2F158D3D4733043D739D99BD5F10DBBCEF0A5A3D313B443C3B26D23D720759BB513DCA3DC8155BBD1175A1BCA05D803D223687BD71B530BEF7B82D3EF23EE3BDB7E4CE3D6946893D1C1886BD3D04E43D7FF8333E37D523BD7AA2BFBD0B3888BC3A07B0BDE536513D240C48BDE2738C3E2D115B3DC238A93DF7AE543D038F27BD6F888E3D9D09753CE3E1EABD925E7E3C24408BBDE2C2B6BDFAF050BEE2F2413EBBE32A3E0C8912BDD831CCBD6372223E413225BD5DB3CFBD23D251BD6F5C99BD629B143E51480B3C3AB51B3C87D9AD3BD05FAC3C1B25AFBD3FC5043D574BA83D227000BCB5BC113EDBF9A3BC8B340EBD4B3ED9BD01960E3D6093323DC00AC73D8FF398BEDE9631BEFFD416BE887BF73DCC4A32BECA33DBBD1D8DF63D3D68F43C6B1F643EFD86FF3DF092ED3D30F403BC629EF1BA1486A03CE614923D801DE93C42BD0F3EE83F0C3EB063D7BC3288663DE8BE223D24F08FBD0B3C453EC2710D3EC255F13D9B9401BEB5723CBEF13994BD4767EABD26E5A6BD335D933CE7909CBD83377E3CCF42A13C9FFEF7BC9BBA473D7A5F1ABDD8CDACBB3DBB573DA83674BD94D9BB3D7E95BE3D3383A73DF3CCC6BCAC0E8ABE074A193CEBF7A63D78FC49BDD9EFC03D2B26AEBD925CD03D6E128ABD9822EDBB34E00FBDEF4C903DE50EE4BDA99DAC3D005CD13D05816FBDBDFE34BD6FFBDABCBFA155BDFAA57BBDEF134B3D9439483E58541F3DBF7D3A3E4D2DE93AED7D253D7FC0A2BDB403C3BDE8CEA4BDE15FA3BA9045EDBB9838CE3D6B47AE3C7A48AEBDAF0A453E2F43493D8AE4B4BD0E6B3B3DE6981A3DFC641D3D0712AA3DA0F0FABDBAE9433EB541EE3DC7CCB3BCCF5D9D3DCBAA843C50C0153E77BC72BC02F0A33D7BD52EBCE5F0D7BC193B41BE96FCBE3D32CFD3BC52FFE23C5B3676BD0926C63D270011BD"> : tensor<768xf32> to memref<768xf32>
    %46 = loop.constant dense<"0x2C650DBEBA4E4F3DEC4A1CBE73DB533D08A1D4BDEFA12F3CE94E8EBC67BF163D077251BDA5BAD03C7A094E3DF338A63CA6E89FBCAE2D21BEE7562BBC2BD98FBC0759933DB8477F3CBDB9AFBDE8408B3E6BE3363E83F093BC7D540FBE06F3A6BC4C983C3C7D4B6D3D62CD723CC7B98ABD2F3BB33D09C8A43DE733233D5DA3D1BC1D6DFFBD83730D3D37F98DBC3B953FBD0DDF793DABC0DFBCFEC24ABE67C0873D75D81E3DB7BD1F3D575D3DBDEF492BBD51C5853D752F83BD0D940FBE584DF73DBAD1633D3A7B60BD82A7B43C677661BDE4A92E3D6FE3E9BD5BD9AABDC8488F3D15356B3CFE419DBDF9E3CB3C0F68BDBB8080E53C8C85803DC02937BD63CFE43B77F501BDFEF4243D2D2FA83CD7BB973D00D477BE57D77EBDEC269C3E135EFA3D0C59A03C85A7D1BCABAE15BE12DDD63C1FC692394C1F1F3E855E5DBD1FE5D5BD1E3588BD2546AFBD203B783D4305DDBDB81E953BED7873BD15F794BD6985BF3D9D7D623D842E1CBB7F04B0BDA3FECF3B05501C3E8D8F6B3D155352BD3FBAC5BDCCF0053D7FEC243C63FB41BEF3CE9ABDA900BFBC9B8C2F3DD2E291BD1C2B00BEF226433C9BC46DBE2181993DBECB89BD0324893DE521EABDE7FB23BD51A29BBD83FBECBD996421BDB4A11ABDBD597ABD280D99BC6041CFBB396FAC3D4D5932BD7A9D413D48B068BD0DCD093D9505CB3D4F9EAB3DA43F4B3E5B7F073E999E18BE533302BECE53CBBD2234F9BDC587523D4FD9A13D597A023DCDEFE3BC11A492BD232482BDE73BCF3DE20CC3BC4867383D68CEE53DB989233D9642153DE850BFBD2F4E8ABE0C498C3D88FE4ABC74083A3D6FC1023D0BBBBD3DB8FBD7BDFBB4173C9440C2BD13E848BEEBD090BCA66C10BE3611B33D7AF5E93B1FBE2FBD9A5B673C024AD73D03775B3CA2612C3D88F25FBEF09C67BB36AFA3BD13C2E5BB895C0BBD28D8ADBD0B6515BEFD119CBDCCF8BD3D48382FBD98B5DEBDB2757EBDFE2F213E479893BDB7A3D8BD638E26BE63FA113DC70722BD4F86D1BD4AE015BDA344E9BD4F7931BE67F4D1BD6DD3833D1755923D6345483ED62CAA3CD666193C383F993D754D633C5B6A263DCF5CD3BD922DDE3DE5D622BD6476C43D782B1C3E7342BC3C51FB0A3E7341733D4AC7E1BA3B7799BC4A1AFCBDDCC2803C434BEBBD0FF03B3B33A2903D2C621E3E33FA063DC591893CDFC8453EB23FFB3D2FDB91BDF79233BEAF5E4DBD56A520BE1310FC3D828CC03D825729BD7072AE3D0BEE4EBEC3AD09BD7A52283E43043D3D531671BDB0D75D3D258C293B20A953BE2DB1393CB803073EBBEAB5BDCD706C3DC502E83DBFE114BE24FC473DE32E823D66F338BEA04FDE3D1D80F3BCA8A4DD3DE489BBBD932BA53DBEF4B7BD271524BDB31181BAE91E0BBE238C773D732D1A3D169C253E403F8BBE1F6DB5BD64A9A53CCAFE183EAF1C2ABDCC4C463DD39EA6BC9F1CD9BD68CA63BD13B3CDBD8867DABD8A85A93CC0DCAF3D73C82F3CDF3C203E27A752BE83215BBD0C3B17BD8A8871BDBABA503E9F724EBC10C3143ED54351BDB486863E5B1B973C50E49D39D3A31BBE0599F0BD78E493BC083C5CBD687C303D11C2813EEBD99DBCF16D3F3D12B84DBD9263CE3DFF4E47BD268C2CBE031508BE675C3BBCED6048BD6C580E3EE604113ED2DD71BDBA8A113CE8B2F03A1993C7BD0B2742BE157AEA3BB39FD6BC5905133E8AB704BE1210DE3CD2562B3C085970BDC8E6613D803C303EFBBDE23CAF12BCBD9D084CBDE15014BE750772BE1BF3DF3C73BD17BD2073213D6B235ABD1F90663D368E1CBE5331143E2D8BE43C00707D3C68B16CBDEF8BA33CE4649C3D9FFD0B3DFB4E29BDA2D831BE78996DBEC71613BD3A90BE3D832F503EB5D8133D95FE73BCCF52243DF280D93A8C52B8BD687C44BDA7DF85BD9161B9BD97A0413C4896023E6D39763E278180BD4AF335BDD200513DAFD27F3E2C33363ECAADFC3DE46304BECA8A583E7D57E6BD6B4A143D80DC7ABEF7B1843D606912BE9D56D53DCDFC37BE7B45C83D5341D53DABE73A3B129E523DE91F423D50EB5B3C7FC38FBC4FE538BE3B6FA0BCF0C3BF3D3C634C3E6821FEBC6B4E86BDC36900BEC045E03D809E50BDC47FC23B4500E53C54790A3E3ABCF6BD9DD8CEBD4FA98C3D8106BE3D3338D4BCB7E728BE4DB0C0BC6F4744BDBAFDBB3A8DE12A3DB00CF73D20D1883D97564BBE354863BD17466FBD0236D2BD1F844C3EBAAD4FBDE089F43D85A99DBB80BF72BCFB04FB3DCB0485BD76348B3D72B0F83D55B0F4BD4FF3BD3DA41CABBCC0BEC6BC2324D7BDD8705CBD91FB0EBE4D869ABDEF2A303D3993223E16CCA4BC23D2443D14D786BD380C28BDD27201BD7AA0F73D140A033C2A4E0C3DB3EF0F3CA803623D676D5BBD835F99BD2E4202BEE7E74A3C85A8513D645D37BE4801D8BD310445BE7BA173BEB847963C52590EBEF75825BDB667A73CB370173E017E073E25AD4EBD2D9167BD684D7F3D5C9E253E835547BD9BE36B3E527019BC8BAE11BEF37FA03B582282BD3FADDF3C8DFBD8BC3E5D9DBC189E9DBDE82F95BDDD5F303D32536CBD0F6985BE72A49ABD1B5B103BFD57583CC107883DDCD5303DDAA4BABDFA92D0BDBAC6CDBC0D8BAF3CDBB31C3D051503BDE7533ABD9DB08FBC7F8B063D6B1CA93D338400BE653C613D101A1B3DBF0430BEAAC7F8BDF03CC6BC1FB5B33CF79262BD53C0A03C548E26BD4A6A9D3D7686A6BD28ED743EFEEC8ABD77D17C3DF35DBFBDC29246BE3BEC88BD6723853EA353123DCBAE103E6191CCBD44A015BE54DE363D93B2CB3DB332C7BDE98A253EB1E8CA3DF3E19CBC9831AABD56C01A3E4BC442BD439615BE531D05BD81E1863D68457E3D5080213DF0D9583DCFF7093C401D70BDB2AC9CBE4EEE033E9A52783E236F583D4F03FBBD425FC43D6A0D1B3CD057E83A3DF4843DEF9BE83BF8954F3C4AD7D0BD753248BC8DEAED3B7A230F3EE84C043ED309043EE82FD9BDEA3A5E3DC2AC853D78A3DBBD4DC65F3D71EDA63D0252583DFF0CB5BD33CC7C3DC7554BBEF9340FBE430908BD652D2FBD35254D3E7CA5AC3C9BA3513EA4A847BE138E8D3D92061DBC15CBD9BCE8B291BD4B25293D5B3012BE3F6DAC3DA399C0BD6F42813A919D44BECFE110BCD7BD68BD8E4D983DC6CDA43D21A7483D63C88DBD46D146BEC373E63D237F91BD00C86B3D78E8EABD586C483EBF8A2BBDBD8B5FBE4EFBA9BD002382BDA7FAD93D380A51BB76108CBD0F5A51BD71AC033C5A45443E38F8ED3B05F2CFBC1F6D0E3C175EEEBD4880F1BC739BD43D490217BC47B27B3D46A897BD3A1B873DA81098BDFA50EEBD587ECE3C101EBC3D57AB51BB34D83E3D93DE9B3CE83123BC7391C3BD5304D63D8F4FBF3D0D2FE1BD39E917BECC56A53C0279CB3D12EDF8BCD8252D3D8AB2433C257C71BC1D2D653CFBB3243C88A741BCF1FE38BEDAA5733E297DA9BE988A3FBEFF0CD9BC02E0DEBD98CE0F3DD76088BD434B0A3E6BB1803DE304B5BD5541C53D20365A3D97CD303DE086DDBD1AA656BD985C61BDC301E83D210E153D139214BD79EA413DD13DA23D3DA391BDF490413EF4C6113E382BD83D61B0BEBD2F004FBE023B25BECB6D163CA368273D804D943DA703713E8F7DDE3DCBDE9A3D2B0F1FBDAC87C6BC226AF8BD571B5ABD48E062BC6AFEADBC5268783D3FDF1D3E4299063E9B981FBE613A21BD743C19BDEB1926BE40608ABD2241EDBD7EB0433E406E18BE471912BD11DB13BE2D8B6ABB972D0A3E7E1D493D6535D4BD6A8AE6BCE03353BDBAD0D5BDEFD3FC3CA371F73C779E34BCAFC6BA3D6BAC63BD381304BD1B5FAC3D7F2374BCAC3A8E3B00B88FBD2B1E33BD95FFE6BC33393BBD6A2F8F3D6F14ADBC94AD07BDDFF4303D34B4233DFE27AF391AF999BD8D210DBD25DA6E3D6D0D68BB677F02BE52E7E0BDCAE02DBEC8993B3D5F7C373E3A04023EAA74883D68A8BFBC77D623BEBC6AC9BD381D01BEE06BBBBD88414CBE75B8D83DB0B064BD235563BDCB3EC0BD806A7B3D3C4E08BE6B59D6BDBF93E33C3BA75FBEDB1FACBDD8ED833D6C13803C4A8A00BD616CC4BAA0D50FBEB27F7B3C9BD1B33D433AD9BD024EF4BCDB97413E7D83BDBDCA3CB83D560D1FBC23218EBDBF3CA53DBB0DE8BDD2723FBDCD422CBEFACF8CBAFF6105BEAF9A98BCCA874D3DECA0833D7FDDEEBDFF01C73D0F51463D390C30BC66B19FBCAB2BD03D0F5EDFBDD0F01FBC1AC8A53D140C37BD03FD053DC5DDF8BCAF87E73BB2D210BECA27D0BDE6B6AE3E28443ABBC624433D777AB83D0CB68BBC476C81BC372346BC5B9A393D959A003E8D11783D00CF08BEC830E13CD7A7603E56D1BDBD67CFE1BD"> : tensor<768xf32> to memref<768xf32>
    %47 = loop.constant dense<"0x3B60843D092718BD03A9963D2F52343D0E9D9E3D574434BC45A766BCE71CF23D9F60753DDA9282BDEA62CF3D12D1813D5B1E0ABDD35C633D6B0135BD2A24D2BD9F373B3ED7F32FBD53B974BD9DFE633D9BB951BD5296393D4FA69F3EE28EE3BD9F2CC0BCB05F433D1563433D806D32BCF0F53F3DC216B93DB2BB4A3D2212F93D575079BD7EB68ABDE71C90BDF6C4463EFD68413DF63135BDC694C1BCD5F3183CECB533BD476101BD5F41A13D87AC28BAD217733DBA49A03DD8BA6F3BB7DDEA3C0AEAB73C1BDA96BCFDD9993DEBD47FBDE3C559BD153F81BD72BB0E3EDCE40FBC838F31BD43D72DBD7DDEBBBC41FD073E07F76E3C535BA2BD77079A3E7B637FBCA5E4B2BC8B1ACDBC7EC50C3D9CCAB73D10E7D5BD0B50AC3B0AAA18BE33DCA2BDCDDC723AAD345D3D0CD40F3DBB6A2B3E25BD183E8DDD01BEBB608F3D692343BEE0A9D1BD1F9E2ABDCFAF493EF70F483EC0B9F9BD39C5A7BDCAF0823DB3308BBD4B015FBDB363C63D1E6FBF3B3319EDBD87BF31BEC212C03CC9378D3D82AADE3C1A9B153EB3150EBE5A59DDBDFB306D3D03C3243D27726E3D375AB5BDAD8032BD2743263EC25FDCBDA3A6F4BD5FCCEFBDFB396EBEF98282BD4B33833E9A85D83D4A242CBD3364E8BDFFC29ABD28E315BCAAB9F4BCF2A099BDBA0707BD12B897BDF0DF0ABD0B6743BC729E10BEE6EE1FBDF7759D3DD77162BE2F18043E3515CDBD692B92BD8A4991BD1E11BB3D68E1C1BDDC320CBE276F8B3DE970B53D9350CFBB1D2BCEBDAEF2013EC0A26B3CC81F153E850B4EBD759D6EBD874802BDB744DABCAAC601BD7B12FD3D40C9FBBDBA7C093E1712FA3BC7E2CEBB082464BDBA23583B4F9F31BDE7A6D63DC3DE0FBC77C9563C7854F13C65DA823D3F24483D5FBA153EDB78F8BDE8614D3ED482163E6AC67BBD16238CBD7B70D2BB62A1573DEE34BDBAA074A5BDD77B9BBD90EDFA3C9DFA793DE053F13D4729003D1693343C23BF5F3E07C020BEA46E9BBC8D08193E9254E1BA65A89EBCBC1DAC3DCAE157BD7090643D4DFB0B3D9FBDC7BDB23426BD6DE87EBDA1C3C2BDD74766BDEF26C93DF73A063E4B69143EC4FA173D36A012BE263696BDEA854D3C58DEE03DFDF1233EA8D8E63DCF3EF83D8305E5BD5066573DDA5640BDA40E1D3C29073ABE9281B73DEF54953E4DF7F23DF8F7BF3DCB9AE63D6EC8ADBD10DA0B3E5D10F5BC011013BDD862D5BD93D36DBCD21A0EBECBF97EBDDADBA5BC4D54B33DDB45813D858B14BEE702273E1833F7BD778246BD140025BEEF291E3E4BB1AE3CC919C6BDC4B9B4BCA1B20CBB478593BD83EC45BC670F71BB630306BE2FD9B83DEAEA513D5BC3E3BD8D343FBDF73F413E9217413DDBE46F3D4F5197BCEB2BCABD97F3043C6BC6383E224754BC0F65D63DFB4920BEDB3C63BCD9778FBDB40E493C3890AEBD4D171A3D39B7ACBD7470AF3D962BC1BCE9B1323D53842A3E1021DA3D6EE2CBBDAE6FC43D72CC9B3CB884FABB029D8FBB0AB93CBC4A584EBE712406BC7D4297BD53A734BE449AB9BD5B980DBE5D184DBEAA8F6B3D90D5E93DD0B1F03DA787263902405C3E87618ABAEC0E1CBE03E99A3D321869BEB0647DBBFA826CBD37CCC4BD3C3CC0BD25C2FFBC2A98A53D7C0842BE73DD033EECFF2ABECC832EBE9753043D97AFA9BDA36321BE8791E63B3BBAE73DF3B15ABDC9E7043E755BF13D0D7D873D6F73A5BCE84BDABD12D436BDFFE4CABDB29E4EBD087261BE2F1B0FBE57DA7B3CD7871CBED7757F3D03C234BE6FED9DBDC80D7E3DB31A3E3CB31C98BCC6B537BD29F0BBBDDE85873D3F32303E5BEC203DC399DABDD2CB93BD7345403DCA501ABB4EA414BE180C49BDA5A4313DA8EDB83C2C5C27BE50AD56BD7B11EFBD6D4DF7BD2A590E3C513121BE6598E8BDDFC2883D1EFEADBD72F64C3C23010EBA76E20BBDAD8E053E5181303E601F63BDB464463D3799B33A56178CBB8F2933BE376619BEA908983C635B1ABE6F0230BD2F49E13D2B75CEBC871D333DF20ACDBD17CCDEBD51FEC43D0E2B053E7D8D9B3D2AAA8D3D0DB336BDB660163EC5E3A53DE294EF3CA63A16BECBC981BDF035363D8C23A13DFFDBD4394C2342BD5B39B4BC32D3A23D95C13CBE7BD65DBDF374253EC7F285BDB725BCBC479705BE8E4610BD379E9C3CF39A84BD541A9B3D27F6CF3D4F62AA3CFC05223D925CDCBC0C8131BDA2DA483C97FA03BE857B813D3B1F283E745C03BD727588BDF5DC2D3E337DDC3D7D3A31BD90AF363EA07E183D4B8AAE3C071D423E6D58C3BC250A56BD7B7745BDC717963C609402BEB3DDB63DCBADBBBB68F474BE7DC85CBD8E65B7BDE3828BBDEA20F73D8F919ABC63B2AA3DC528723EB7EDA5BBAAF8B2BD183054BD4501863D77C7F0BD4B7A853EDC3FA6BD5E97B5BD3DF6FE3DE6C5B23D052AA63D382FCB3DE74BE43C22D683BDAC15073D6A0B9D3DF8DDE63D0833ACBD456EC0BDC56D8EBC42B934BEF54374BD934CA3BDABC4CABD372B143EDAC6D13D7D46573B7F00EE3D3BA2E2BD4F17AE3DEF5F0D3ED49319BEE7904E3DB8E2BA3D1FF651BE9E26943DFABF15BEFF86FCBC8B3BC93CB56A7ABD38C20BBE5671BEBDEAC5303E28E1E2BABFF2CC3C9E400B3E2307853D470B96BD0F62D53DEAF64E3D92AB413EDED7CB3D633533BE9F6AA2BDF752BCBD072DDC3C4ACFFB3DF785B63D0979C9BD988202BDBFF5B5BCF265EDBD4A1DC13D3763B3BCB3D86CBD0B0D793DF04548BEF50D7FBD7297553DD0EC0E3D4F13673CC89796BD32C1883D2A07EEBD78EAA43DE562A9BC6764D23BC22ED5BC281E4FB8E88AF8BC44850DBDD59640BDB09A97BCAFDAD8BD4B04DB3D5D60F83C90D772BD720B513D05F6D0BC4A9350BCFFB368BC22F05D3D41B987BD25010A3D90B0083D270AEABCD88639BE9564A73DC3DB4CBE91BC9F3D26C0163D25234EBEECEF0EBC4F0FB7BC4AE503BE94DB2C3DE85E6A3E53964A3EE71C2F3DD7E716BC2566593DFB9A5DBDE14B363E87C5CD3C4397453E515D1F3C77FB7D3C3C6E9E3EFF8E6D3D57C88DBA237F1BBD5BB66DBD12B92B3E60BF2C3E803257BD03B3EB3D2321E9BBE32341BC42709CBEC64D46BDB5964FBDF80EDFBD020B7FBD486A053EEED227BE48B28B3E2D36653D103B9ABD8252D33D20B827BE4BBA253E46BC4A3ECE09213E97DAA539EFA1B4BE30F01F3E137E17BE075AA4BA435AE8BCDF5779BD4247263D5B5605BB40D9DF3D21A839BC6FDB2A3CA78BB03DA17A1FBDBFAFD3BD3B9F813DE76115BDE0F9143DBA9AE43D5A5F6F3DEEE7AEBDDDE81C3DB54AF0BD989ACEBD50DF6F3DC5A886BE171948BDD836613D1514FABB6A0DEC3C28DC10BE41D3883D53E964BE355C973CB34E173D6CCA3B3E37EF013E4B3ADE3DDEAF0CBEBCD8253E092E013E3C8B0B3E63D0BABD92EBF0BA4875E13C39A7CABDF290FDBBCBCA953D94B7C43DA818F9BD24972FBE55EFC6BB63B4D53C4535623DC369D63D129AEBBCFBB03C3EE7D6473D93627CBE8907153E90BDEBBD7045713B7C8E0CBE53B40B3D33D72DBE7D9365BCC5C3283D32340E3E0243A5BDDBE48D3DC814BBBDCA46A13CCD258A3DCBC5A53D6AE4E73BB4C2953CA66AB73CE7DD013E1C03963DFC8E19BEA7E1243C1EEF82BCCAA8E5BC2AE3B13D580E8A3BC8DB783C02E56DBD870F00BD8716553D216A283EEA2B1DBE4E6F3F3E3B74303C0B82A93DD7000A3E202577BDD3AAEEBD486874BE24921C3D0B85F33D7841103EBBADC1BDB7A4F33D129585BD4DBE7EBA929D21BC9D29D93DB06FAF3DA7543D3D910C33BE7C9E34BC4B0B0F3BE3F99C3D483CFDBDEDF660BDEBADB43C153058BC40FC1FBE8FB08EBB6FD4173DDD6EFC3B6B6270BD11310B3E7DD63FBD674ABC3CD26407BE23D7E73C447CB03D1CCB24BD27D34FBD2AB1F9BD68C16D3B001D7DBDB776B3BC7726E9BD3DF146BE23771E3DB8D4A83BC253893D255CEBBCC759043CB9A105BEDD54ADB928B45CBDD13D3DBE0F2ED7BD982F8CBD2B7F703DAF70553DD418293E73D689BD3E040A3E7FEB3FBD36AEA23DFCFDC6BDB10E9EBDBF3C04BE674766BD5245EEBC9D26EF3D7648A03D3F9AEBBD6ABC9D3C1D02043D9F3E87BD577E833D4BB720BE8A9B85BD2A913C3CD2913C3C7E662EBDD4F28D3C0DC1323EE30F193E777E02BBEA8C853DA2C21D3EEF6075BCE5C0D5BC25FC233DCB6341BD69D109BE95EF4FBE3DFC18BD187BD6BC008B553D7BF775BDFAB65B3D9B8C63BC0BA8813D3B47DABD1B791C3D5DC3B8BCB72F1D3C1FE3093DF7C5A1BDA03AF4BDE08DFE3B9585D23D16732B3ED8E45C3D1D85983C4BE6103D2508523DDBB28E3D67DB663D2F0841BD15FB5EBD"> : tensor<768xf32> to memref<768xf32>
    %48 = loop.constant dense<"0x436368BD066327BE1D258F3DEA5630BE0D786ABC1E8F113B76E4813E9044DE3D7D5D643D502BDABD544F873D8F0E183D1582A1BD7A779F3DBA788DBB47B2203E50C85E3D759F1ABE13B5A33D47A480BD9BF04CBCFB7F9EBC45A2623C075350BEFCD2C53D50D1CC3D4E4986BE5839CF3CE7189B3DA2BDFCBD7C3A30BE647F8DBE35A889BD168DA9BD67B94FBC2F97C43CB07B62BC37F13DBE75C0C13C25E80B3E95BE77BCCF08C3BD7655093D603A4A3D09549DBC2D94F7BDE398D0BCD39F70BDC2F89F3D739CE43DDBF52D3DA4A887BD601A07BED9671D3D14D504BD9377843DB7CB143EAE5A0BBE4C9BC3BDADF3CF3D6A2976BD4A2458BD9353383EF4BD2D3E553C6039235A333E5119C7BDB6DABC3D142DAABCBB64F13DD81F823E8B13EB3D7F804A3D814F88BDFAA196BD55E9CBBDAFB29F3C11921BBE9BBA833C7C71ACBDAF4985BD9364ECBD3A6442BEA3D38ABCFE272FBE6C7395BDC820913D3A80713DF323993D671E4E3CA41A9F3D7E11153DE7767E3C63F2A7BDC02A87BD0BD7963D48118ABD952117BE6235243DE2D5CABCC08E5C3C47BC633DA3F4D7BDD875573EE8FD71BD158AE9BC32F12DBE4F51043E0383653CD884D4BD0D266CBE385080BDC1C60A3EA2D8D5BD4C55983D5B222DBE6FDE933DA52BD6BDAB70A33DE392BCBD463C113ED3C9043E006A843DC35184BD083389BDEBDD9B3D43B9FABD8567E5BD6790F83D8C3931BEF7BF253E0B6B0F3C88F238BE0FC574BCF332A33D47C86EBC88754A3DDC9E04BE42C6573CB73FC03D0088D13D9294593E05803E3E43DC83BD0BA8FE3CD3D71D3ED2883DBC60D654BD1FC2883DA6D6073B00158A3D0822633D5B4B283E1CD11D3D015F233E23903EBE0540283C3AFCD8BD0340C5BC62455C3D1BA4F5BDEB2F5C3E6B2AAE3E6B7C693D6FADA5BD471F61BD95D418BE5A9B5F3D818E27BE7E0A153D1FA0C83DFBB6C53B6C0AA93D4A3813BE5F0350BD1B1A233D3841DB3DCBBB19BDAA387BBD8258603D77D80DBE276210BD98ECF83CD3544CBDF63B1BBE4339C33C5646293EAE75ADBD0712C3BDE7E7693DF2C3FCBD5279DC3D04A4CC3D2F5E10BE038C213DC5B5FB3DFACFCD3D4D9E5B3E37AFADBCBF7485BC8F822ABDC335613DE8051F3DDABA58BD4AEAEC3D89443A3E8B7D9F3C2BDEBDBD2BDFA5BDF76C0C3DDE6F87BCE99D4CBD0D4791BDE95BAF3C9AB148BD772BF2BD19D790BC45F7743D13267ABDD315CE3D1482953D5F1AFCBD7739323DB04B473D4E014B3CABA7103E97284E3D381AF3BDC3B83B3E0BC62B3E63A311BE41EC87BD7E588EBD5FB2823C8306383E763B42BD3D58C6BD8FA9DABC5CDF323A329A8C3CF7DDB4BD7AEEEC3D3FFA0DBE2519F0BC801D673DC28FC93DCCF43BBEADAEF0BC802229BD4BB70A3E2A97FABCCF378FBC1530E236D40643BDBA97023A2576303D7B9EDA3CA3444F3D5F84D43DEF8AFF3C3B489D3DD8E34C3DC58EB73AA285E73D8FACB0BDF85D8CBD0A7340BAC053FCBD4DF5663C12A85D3E1A6B33BC0B339A3DBAB2E7BD326F57BD425FC2BDA8E549BD3C4314BDD2FF203E262B4BBC3BA2ABBCFB58D8BD50C5E23C5F921ABDC040403E7B303D3D10FF53BD989BEC3C3FF1253E062125BDFFB1FDBD1552043ECBC241BDB24B74BD5F43313E1260163EF94A8E3DFAF5563CDC7DA3BD427773BC3A33ECBD284000BE189D70BC9DE854BD84FA17BE497095BB56DDB4BD99BA11BED66D96BD8BAA49BDFABD763D241A98BDB02F62BAF2DDEDBDB075583C7F2E6DBE2781EABD3510DC3C5F15173E5DB1043DF3FBBBBD7340A33C441F193DFDDF8E3D24F594BC354ED23D880E133E2E580D3EEF10EDBC86AC443CCB2C693D6A36B3BD2F192BBE71A8903E029B40BEC6A5AB3D22FF3ABB25A802BE309729BDBFD7A3BC06D7A93BB556733D968D03BE1D5958BEFFD453BA6B61A23E7A2FC6BC6BA3793CC5F0FEBDA5AFD93D228AA23D7866243E568FCA3D23C2A0BD370A313D85C8E5BD737B9B3D4A7ACEBDBF48D1BD0F6D4DBD1145053E3737C63C2278503CAFC386BDAEA59DBD29C6053DD57A6E3E923F193EA02FDCBD0F7C20BDAADAB4BC4581933EED88D4BDE39EB6BDA30F87BDD5FCE13C09C0AFBD8699183C9439C73CA1B9493EAA408E3DF8201A3C77D7F33C97299B3CC06EB7BDBDFCD6BD6F8D003D8BE560BDD91E393E9FD8EC3C6F77503D7859613E4CB6863D633E0CBD2B893CBD3D03FD3CE6ED83BB33C2613D386D5C3DFA5587BDD240513DE7C62C3D58FDD13DF5EABD3D7DE2EABBCBA1BC3CCD90EDBC8C4303BD2A3743BDA367233E0D614C3DB4E7093D48FBE63DE07CEBBD670D0C3C2F9A183E9FC468BD2D71DA3B314538BCD1AA37BD5ACBFA3DDEB3943DD3D7D3BD8B2C70BD4014F9BCF526343E735A5BBDDBAE40BD80CFD5BD413997BD45EF2DBE8A3D61BB98F48BBCBFEC93BE27C8ED3DED0FF0BD3AF809BDA02DEFBCEA230C3EB77B523E723556BDA79F91BEABD0D03BB1272B3D1BFA1CBE0BEBEE3D27A09E3D6866A1BC7B42D83CA09086BDF6DA05BD1B8C023CC92A993D9B97503D20A6663D95623FBE87921FBD0B8C913CAD77E13CEDFE21BDD0543B3E3BFD55BEB6F03C3DF0D1C23D1FFE233E4D15B8BCF319B73E438C9CBC697A00BEEBEF843D1F0AB7BD70273A3C276B90BCC763ABBD59633BBE184FD1BD365A3EBCB8DC233EFD8E863C2D1CBF3DB836A03E309BF2BD912E2BBE7A3181BDEBB6BDBC9780FE3D0BA56DBD7B93E03CA8F9AF3DD7B0033E785E4B3D4D29103E340783BD7A416E3D088479BDC3D9C8BD1B37863D2B3B1BBD7F8066BDDACF443EE3F0043DDF3F8FBC6ADF293E078DD0BDE1A3B3BD277F183C1DE37CBE6AE95EBC9FA1093DFBB72C3D81D79C3DB770073ECBA9B43D6F66DFBD2768ADBD0BFBD83D7D9762BD473403BD0AC36D3EE474A33D29529BBD6305373EE8D0DA3D56B99EBD2E043F3EFB3A743D3CF4383EDB5DDFBD3E2780BD53A514BEBFC1253CEA1F7C3DEA1758BC9D19083D466897BD431FA53D39339D3DDA0940BDF717763D95C7763E17C92F3EDB2796BD3400A9BD98AAFABCC02DD33BC7E6353CF39BB0BD5FEAA33D148782BDCAA45FBD4AE2FF3C742B113D36DB433EA8A3EABA25CF683DEB9CB03DFBAC84BD0B924C3E9FDF9EBCD88EDBBDFB30CC3D82D8E93CF03EDD3C4B66AEBD796C253E68DDBA3DBB1A4BBD5E3C24BCD8C38EBCAD8152BE0AEACDBE500CD13D534A603E7A34BD3D418A30BEFB988F3C802A48BC231D89BE6772033DCA76A53D46B41039DD53EABB40F5973DD850043E9744A13DED5E01BCD3AD15BDA474953D735E923D827ADB3CCF16BC3D757C613E5D62993D355C4DBD6FC4FF3D55ED14BD7ACAD63D0B369DBD2800283D53DD21BD958DC63A5BEB26BCE729263DABD4BEBD723610BD81DDC9BBB035183DD840B13D550653BDB7B6FBBCF894C6BC1D17993DC3D9263DBBC8D33DA1404BBD7F108E3D091DC9BD7605463E174D203DD304E6BC3E959B3DE57E1FBDC364783D75771CBD83A014BEC772F83BDD7FDEBDE3B152BB4D72A53DC21E3FBE5582C23C351F0BBD86A91E3D2FFEDCBC6FB97EBBDAF2B13D576D7DBDFE330DBD5D23D4BD481C573D7297AABCB7177ABD7E7C913E855ECC3DD1391CBE32DC4E3DA201D43D95883FBD3FDA913DDD8856BDFF20CE3D67D69E3CF3ADA1BD53D54FBD53DB003E4E80ABBB71C38C3C7C60A7BC7C981DBD94FE2EBD002DD2BDBF193E3DF544283EB0E74A3C6F849ABCAFA98C3D695D933D8DC137BC00BE563C9A0396BBEFBD753DF37CFC3DFF49673D743E1F3E15D92DBE3B9E113E84B5B73D851411BE5300E0BC2FDE993D028F01BE171F1ABDF36104BDBA9719BEF068D1BDEFDC66BD45EC32BDEDC9853D57A1303E1739B33CD39DE63CD3E1083E1660373DA7CD463C93F224BD6016D5BAF550033E58EF06BE1127963DE47F10BEE0CCE4B889A7453C2F2D1F3EC85C6B3CE8D653BE4C070EBBCFF4803EBF3437BB8F7E03BC5A5D473DA70549BBA5C733BDD734E93DD0676DBE615D30BCC5F6F63C0C9909BD3BC8903D8543E9BD2ADC05BCF27D8F3DCAC6763DC244933C2B70943CDF69023DD092483C338D57BD077609BE4B50B2BD3DD3FDBC6FCA23BD62F9D8BD0DAD7FBD3812E1BDC7DD143C60F7E3BCFC0EA5BD3247553DF871733D9FF2F1BCEDFE6BBD93C01F3DDBBFA2BCA004C6BD47081D3C1886E2BD5F1C223E2D27743DE22AF9BD87ECCD3C92C0BEBD8D1FFDBD4313C0BD594E133DE7EE943D51DE00BEB39E863DE8496B3CA4314B3E6EC306BD8B4693BDA37D9FBB350AE1BCA981B23CD0B9553C46E2053EB5EA00BE6A23DD3D3A3785BE"> : tensor<768xf32> to memref<768xf32>
    %49 = loop.constant dense<"0xD6F2CABD4FED3EBDADD10E3DE50758BDB5C6193ECD34893D22F25E3D574437BD7354B13BAB5EB0BDD220C43A8E1199BD11024ABB7FE5CCBC1F8C8B3D755FB9BD4F95EF3B4712EE3CAB430ABE31B217BEA37A42BD8F2F073D68076CBC2A0B16BD275C1FBE93131CBEFD5E44BEBF57DA3D874A44BD928182BD7891083DFEA6AE3DAAF6093E5BEAC23DD1F194BDE093833D16B3393EBD68D3BCD1A3B2BDB84BFF39C2518CBC4A7E5BBD5366A63DED8F44BEC3E12C3B5E49ADBC7831F2BD77813A3DE76039BE37F90CBD0B5B11BC7FDCB23EC75DC33DF38934BEA737C83C0011E3BD4B7B683D4D16303DABF05F3D827850BDB73CF33D4B13103E27FB17BCFBBA3EBDE726E8BD510CB43D076060BD1D148BBE38D66ABD4FC2D9BD4F9DA93D2F72293D2F1E5ABE8B1F123D54134A3E796A893C11D380BC9BB8ED3D065483BB339B2FBEB82B2EBCE1AB90BC6BE58BBC8FD2FB3C5CB7063ED8F6E9BC0AD23E3E65FF283C0AF4AC3D4341543CB30BF4BC27D842BD085594BDC7B356BC2DA8E23D455F10BEA703253E525B07BE9DD5C3BA80033ABD5F08543DF9F79DBA4895CF3CADAE9EBDF9B524BC0338FC3DF51D043ED2FB1B3E0BD4FEBD5FEAA73AC07EA33CB3C939BDB3399B3B5D558C3C1890F2BD1F080B3D8B49A7BE9E602F3A788E7A3D2D20BC3DDD38A03C3CED0F3EF7BF75BD378E5A3D2B430DBEC237E7BD20FBF9BCCB7E0F3E25C4AABD0F1E91BD59B09C3D07285CBE85BD063E801AE83D2406C8BDF071DCBCC5AE743EEB7C8A3D170115BDB6A9C33DDAC7863DDAAB2ABD152842BD6297A7BC6CE4BC3C498134BB583D3DBE40166BBE6CE2B63D5B4F923C54B19D3CE3E0C3B913C2103DFAF7F03BF264723D68FFE53C55606D3D67F5B53DF569A03C4882073C72B4093D4BB500BD429F59BD5BB8B93C87AEAE3D511E063E2ADC7B3D6F12C1BDAA3F633C2046EE3CB8DFB83CBDE6B83DE08BF93C612E44BD9B3B763D4D2AC5BC7F8C1C3DDD27EA3D7FD604BD923E153DD3BDEBBC648F3ABBB5C28EBD7F16A13DB2D50CBEC8ECAA3D6389CD3C37E5DDBDC3DC913E0495AFBD82D366BEB5F1683EEAF3D1BD24A0313CE2C38ABC4F1231BE4528783CF013D9BD0D26EF3C30B9E83D9DC87FBCB78A443EF0C79D3D1622C3BD28BCABBC3707A13D5A3C83BDA22649BCD2C3253E97BD873D8F8EFB3D2E43C13BE3FD203ED41800BE45D3613DC77C12BECB456A3D43A2F5BD20B76C3DFB92003E783FE43DCBF534BE17B0673E379F64BD33EAA3BD7FD11DBC7FD4193D67385ABED2A59F3CB5A0D6BDA2C7C63C445442BD1569483C5637C6BBF63482BDED2CEABD60F4A93D9D598B3D6BB38E3D733416BE7196C13D2232013E7365D3BD82B94EBD1846EB3C85B3043E372273BCA2BE19BAC6AB293EFDE294BD332C45BD501C77BDFCB186BD31498ABD4F98DC3D9F7E0B3D4E88C8BCC80E843E44C53EBD87E118BD7A4D7C3D6DF74B3ECBD388BD67E5B63DD271DFBD442E38BE6CC1123D320C403EABC43ABD626B9D3E504F493E766916BDC39386BC12D0F93C7AD3223DDAAE073DF825D83DB06F833D63EFDD3DD0C00EBE491FC03E00DC723D68E0033D04EE48BCD8E29DBD846843BD78AE8D3D91DD98BDD2F480BD8BEC5EBE5AEB623E8568B0BD5F71ED3D88DC6F3DCD41F2BD280EF5BCC47FB4BD3B5CEBBD4FDBF8BD6369523ECC40AD3D33CF72BCA0854DBD837E6CBD67548F3B8C030B3DD24821BE5AE7E2BD28FBC9BD615588BD9AC41BBEEFCBA33CF28D643D62B7F63BCEBC0C3E7F6434BC718A83BDB9848BBD78C0723D0ED93DBCFA76BFBD202F553D32F0923D83818FBDB7C2523D9099DB3B9A3B33BD4A105E3DE377943C33DADF3D0C8AB2BBC1D4B4BDB3B0A53E66F0293E5386B4BC558903BE949F0B3D5F644A3E1BF9EF3D3B4053BD9D8C923DF232933B32E0F0BC9013D73D2097D3BCD809333BBA6EC13D93CB47BCC4F61DBD1B040D3CC31A1ABEF5EF7F3E5DF94A3E9C31C1BCEBC81A3DF8BFFABC3A316BBDFF1FF03C01A0003ED905A93D3342B4BDC323E93D510C03BEB2E792BC7A8D4D3D4D48633C6F9B52BE78E17DBDD860F8BDAFA3A2BD80186CBECA1081BB4A03C23D5CF93EBED87E263EE3B094BD9531B0BD1F6B64BDE2AC823CCF483ABE7FB897BD52D6EABD3400B13EC87E0E3E4AAD433D6C90983D753C9ABD6A06C83DDA44FFBC7F060C3ECD00CDBC9D79FC3CFC77ADBD7BDB42BE55DE92BCF17CB5BD9F3F893D11C4373C12AED53B829F37BE7D89D63B28BB41BD5D7564BE07490DBDC22703BD37C343BD6CAB94BD9799873D472CE3BD880657BD239B913DBC3091BD98A19CBD5468AD3E960307BE977C313DD61941BE0740A43DCF52883AD735C6BB5D5BD9BCF0B939BD132C6B3DA933183C008C8DBD35F4413D55ABE43DE8218A3B37E6093D0DE072BDAF37D73C070409BE53CE903D3311FE3DC070DE3D7503AC3D0EFF1CBE583B14BEE9D2C83D626DFCBBFDFE723D72CB69BD8FA671BCDD97203D0F87A9BD9881E1BD47407BBCE84E923DF58C6BBC2967123E7FD67BBDB305E13BEE051BBECD69CDBDAEE58E3D2776073EFAC1203EFA02A73D2B3BA5BCC3082DBD8A57213DC7F1EEBD58105FBDAAC079BEFBF6613EFB83003E20784E3D52E14E3DA57C443DC8FADBBDBCA9A23DDFA5D2BD98BFD73D13EDC23DA715AEBC7F931D3EB7459A3C3B84C63BCCD12BBD6B93243E90DD8DBC107909BE776099BE9B23853D6B2D853DD853DC3D8375773E1855E8BDB3F2903C3DBC993DA893DEBDE8B180BD465E243EE8BCA03D6B4A1F3EFB87F13D6209B8BD7353A7BE720A773D978C0DBEC20A30BE987180BD6734673E78BE24BA1BBD033D7DAC23BD0763F6BD3E903EBEC34CA6BD9DFE2D3DE34C9ABDD1DE2BBD4556463CB94C4BBE5795C83CF763F7BD54D5023E64FC053EA51860BD3C0830BEC50CA8BC023BE23D67ADD1BD25622D3DD72FB03DEB9F57BDF96545BEC99E81BE7F53943D13042EBD13DF86BD5E95063E0834B5BDAEFD333E5288FBBC3D1DBA3D8ADE9EBD1BE9643DF08753BD1796383EEAC072BD8B68AE3DC3C2233D5B6DB7BBF0BCDCBC625C933B6F12103CE59524BEDA500F3C9A45D23DB011C6BD23669E3D1FEB243D1795A13B7BF1A33C7F86683D93CD543D438AF63CA3FB9F3C0BAA21BD5AE2FD3D3544DE3D1A4DDF3B0D1240BEB846A33D67BBBB3DCD5C8C3C13859F3D34FD8ABDD2248C3DE7A0CE3C7B13123E518E033D385CC73CFED9813C174D5CBC13CC943DEBE2EBBC54BE2ABE01222CBEBAECC83DFF9F0E3E1278CD3D8426353D8FCFD1BCC3B5C8BD4DEB6CBD49F1CBBDF7649EBC2EF3803DA7C221BD42AD0EBE7F2B553E59B10F3E4A06ECBC8103C93DE36C7E3D6511B73DF0EBB0BDBFFAE63D97AC2EBE9228DEBD9A38E93D47F79C3DCD6EAABB871F353C7307103EA77F063DE3134FBE0335EC3D33DE6C393DD7E23CC535093D2784FCBD13FE863DA7EC01BE767C8F3E1329F33C066EC2BD935ECB3D0F11CABD69B7C63D1CF3213E1572F7BC96FD9E3D8F57F43CE16596BC0B76FEBC5AF6373D3711CA3D35FAD83D8D57EFBD720EA2BDC8E120BEB30D01BD70A03D3C6D00983DEA9F45BDF7E01B3D0406133DD3E83B3E439F27BDCBCBBC3DC3D016BE9A32DF3D9AD305BE3258E53D4FC0503EBF5868BD754DDC3DA6E6903CA769CEBCEFEE82BDA2B4F83DA913B43C02B487BD052B453DF09F55BDB1E3823C65098F3DB2FB84BBAFB451BD2A60B3BDB32F5ABE1B9DB73CAE5E3ABCC40535BDB78B81BC8EBE933DA60D16BD77E593BBEA86133EFFA3873DED12E43D9024FA3C8AE972BD9A1EBBBD9338DBBDE8E6813D8298223C9FAF8EBCEF98E93C0FBF3D3E86AC803B678188BD5F0982BDFDC8FBBD0330F13D874E133DA75892BBC5C4D83B209ED13CD5840B3D1142113EC790223DA57639BB25B300BEAE86B23C03AB0FBD72369FBDB368863CD0D35BBDD10B41BEA363E3BC6E09103E006F4ABE1B349139912531BE83E9543DA79C11BE179150BE920BFD3C094D09BD380E253DA91526BEF309DBBD25C76D3EAD0F71BD5F0038BD90CC433D025D0CBE0B8FA4BD976A983CB3C90E3D58109FBDDBB05F3C9827D1BC90B5CDBDC44195BD795C9B3D0BA1973CFDEAF9BDDB66033E23E731BDCC2299BD1F5285BC84F12A3D872D94BE1AAF6B3D9FDD113EE941053E40D1973C1F7D43BDF1628C3D4A08243DDC6437BE584593BDD3B6813E83798FBD4F5540BD5425B5BD1E102D3C89A043BE0D79F33DFA2DCB3D931023BE6FD2DFBD0B1AC5BC10B1DB3C69CA05BDDB0D7DBCAE68813A53491ABE7168223EDFBFCC3C1D5DD7BDADC9F63DF988833D"> : tensor<768xf32> to memref<768xf32>
    %50 = loop.constant dense<"0xAFCB803F76196D3F48086A3F67EB503F183C493F1A06863F7714813F9839813FC9C9863FA0EB6F3F1F058E3FD4877E3F513B933FB2E98B3FC085833FCEC7853F5AB08D3F59848E3F51AD7C3FD172793F689F6A3F18B48E3F2900833FF4A5723FA07D773F38F8853FED7C523FEE2A923F3D3F893FDF17983F278A893F4957913FDDE0943F4CBA843FCA7A663F2DBD763F4DB0943FBF17883FEC46813FABCF7D3F1B02753FCEA55F3FFF3A733F0AC08E3F5D89823F91E58C3FDB76733F3F9A653F90117E3F7B66923F4586813F6D036F3FC672773F409B6C3F9A30853F70B27C3FCBD5663F5A287A3F3D6E693F7F9B953FB8EA913F0AD8843F1BC26A3F214F583F18AD6D3FE76F773F6737683F26C2833FC9876C3F4E36A93F7519803F85B6723FAE66853F0AF84F3FE540753F8C0C6C3F14C37A3FAA79673F00FB793FDE78733FFC8F873F1E408B3FD8B47F3F7FC9863FF318883F4397873F5A9F683FF4C5553F6403903F36F5883F92EB7E3FF7F3883FFDCF683F1162533F4236933F8CE2963F00EC8B3F198D983FBEC3773F03AB833F6A034D3F54C28E3F505B4B3F432D843F8CAF7A3FD9BB663F252B743F1A58923F29AA8B3FAA3EA43FD5E8893F32A4803F635A733F6C085B3F50E97F3F58E5663F543B863FDE2C683F12A9903FCE97663F2BD76A3F9E7C5F3F832A853FC1D16E3F6D7B833FA6C3833F17905F3F722F833FAEC65C3F506A7A3F0AF8993F369D833FD2D7663F6FB55E3FFBCA793FDEB98B3FAC8F5B3F7BB2813FD48C473F434B903FEEEE7F3FF06D883FBBA67D3F617F803FA1946E3FCFD7A53F2FC4913F5345673FF94D683FC1748B3FA6E58A3FA167823FCA405F3FB78C873F281E803F04E4903FFCBA913FCBE26E3FD36E823FECB1813F5114373FE2648A3F5F6D863FEB96863F0880463F90EF963F8444703F6AD8513F9B25863F3411763FAA59873F7C5D533FD4D9653FC2E39C3FBF11843F8E86803FA2144D3FC58C883F6BE68D3FB198703F5C6D813F11FD5D3F6752883FDE4D4D3F4EB8863FF9D8853F4F1D6B3F7E6F813FDD89433F0FBC823F45407E3F3418883F845A783F65AA8C3FF1516D3FCF10703F2A63893FF8448F3FDB5E8A3FABA1573FE00D713F07216A3FEBFB883F82DC753FC07B713F51E08F3FF629763FB7BF5A3FCE23933F815B6F3FECED8B3FC81D833F690F903F6068863FEBE6813F86A5923FA2838B3FC3A27D3F94F78F3F6921853F4AB6873FEAEE703F0D3A783F68EB623FDAA1843F7C3F8D3F4D4E873F153E613F4DAF5F3FE52F833F1FA1933F28D0563F0F8E953F35207E3FFF0C833F59D6813FB9FB7B3FB0FB853F2ABE813F20DF7F3F908C6C3F5E59743F92C3723FC8CF7D3F48AC853FC2C0823FC238643FB2798E3FF1E47E3FB96E8E3FF60F8D3FBF92743FC2A4A53FB27F763F7E28603FC51B933F2BE2673F7CAB653FDE6F7A3F5359553FFDA9953F99A8823F3C23743FE6F39A3FC669793F892C803FBEB3833F8A9B7A3F5EC9783FA660823FA2CD7E3F4AC66D3F659D823FD85A813FC1FB903F97996D3FC505883FD88E9A3FC1735A3F7858553F6CA67E3F41E5863FD668983FFC706E3FD8B5803F7513863F3C2E8D3FE676723FE6578A3FDC507D3F291B6E3F1E07573F10D25D3F255B813F07578E3FD0697B3F4E305E3F3A38823F2E926E3F0E66803F93399F3F4879883F954D823F2B64993FC77B583FD7C0983F6E9B883FE379973FFE4B8B3F76B5823FE947813F18D87D3F66FA703F4A578B3F7AE17A3FCED8903F7B4D593FAEB0833FA9228E3FDE4B833F0E776F3FF44C873F23F46C3FEACF473F4D1E8F3F0A1E823F754B733FE48C993F77EC593FB54B4A3F431C883FFC246D3FD343863F1ED0763FDEC58E3F04216E3FB695683F57DE783FE258823F7EB0703F9160883F2027783F14F88A3F1854873F6B87883FF6FE8F3F479E8A3FC7B5883F1B51823F8E4F6F3F9C2D7F3F4BF5833FA5DD593F4C1C8F3F1F99673FE68D7C3FC5425D3F3031653FA445743F7342833FAA856D3F5C87823F95BF703F4E26603F79546A3FAEE9623F15B6843FBCC98E3F58D38A3F97877D3F162B6A3F8B4D6D3FB98E763FBC43893F2AEF8A3F3C8C823FABBC733F49197F3F58437B3F53387C3FED7C813F14177D3F77E9803F2BA97A3F2A21813F5D62843FE6398A3FAAF9853F4A2E7C3F59BD923FFFDC643FACF4833FFFA18C3FA112583FB4458A3FDE6E553FE630923F19D7753F6EA0713FEDAD843F549D933F0E698D3FF1BB843FC77B683FD1A3823F1141863F4E053A3FAE66753FE707863FF6AD683F75438F3F7E2F623F82EA683F2F38803F9B6F843F1C54953FF9C9653F49FF833F6EA85C3F61398C3F66FF7A3FB072963F79E05B3F2253803F65A37F3FE66C813F64BF913FC87D8B3F158D6E3F3211633F5A6E903FF639803F71A2823F2C9D743FE579703FBD24983FDE3E523F8256863FEAD8973F0792823FAA6D803F18B16F3FB8F8653FBF966B3F5C6C673FF12D833F2BDA813F0D6D533FAAFEA63F5F45863F8D2D6D3F6B54833F8DC68D3FEA73903F6006723FD522733F6A888B3FE8B8803F02B7783FE727623F2AEB833FE5238C3F76E0733FAE4E653FFB477D3F0EA5593FF056853F9303653F6869883FFBE37E3FEF90883FA451753F757D673F85908B3F04D58D3F407F8F3F8CF0793F7FD4653F49FA8B3F3792683F13ED753FDC69783F321A8A3F3F737E3F21878E3F77CC873F5E0A943F921C693F1660613F7B446C3F24C98C3FB14D783F2452763F3F247B3F2061853FF3D6793F78F9863F7B776C3F7A67853FABF5713FEB3C693F5373413FD9F94C3FBD83503F754A823F04B3923F1877703F0620703FBF0E7B3FE25A8F3F8782783F9917923F8C8A893FDE36813FA80E8B3FA99A8A3F8EC3803F17D0793F4DB89E3F01297C3FF6549C3FC4495E3F5BF97B3FEC18853F28F0763FDA2A893F09E6753F22648E3FD82F6C3FC0897D3F6FEA773F360D903F823E6A3FC4C1593F9A6E773F0481873F1B45703FD0A2883F68DE7E3F25FF603F2A32903FD40C8B3F48DE793F8F678C3FC2D25D3F55B1923F49E6893FD6A5733F46A66E3FC986723FE8AC9E3F140A8E3FEEAF883FABFF873FCD7D853FC25B553F6D66833F1A418A3FEEA5873FDB5C7C3FC50B853F67E9763FB288813F04B9873FE02D773F94D14A3F9D5A7A3F4609673F7CCD823F1855833FC1C58E3F8321873FA91A673FB1076B3FAA7C703F22679B3F6F8D5A3FD862793FE514623F4E4E973FA9D5533FECDC803F00EC873F14CF5E3F3AE4683F592E713FEE28903FE044673F520A903F31417C3FCF138F3F6C93883FF3A4863FC72B8D3FF0C3853F0E8B7A3FA73B8A3F8548883F8253823FECCD803F1CDD633F99947C3F206C7A3F2659833FC3827A3FEDB04E3F173C6B3FE90C873FDF82843FFF329F3F8A194C3F694E8C3FF5BD873FC8096C3F7DCC813FBA3F633FA0DC6E3F15E88F3F5D1E7C3F0E96653F6A3D7C3F2527933F21FD823F2CE68A3F8C04763F19FD903FA7C5663FABC8653FBA11453FE3745A3F1871813F5D8E7C3F7852823F914F693FE90E813FB602813FF7FF473F6827733F890F793FFC17653F8C4A703F33358D3F29957C3FF633853FF92B913F4A844B3F440F4E3F4258703F94BA6F3F21E3953FA560613F211C893FA61C863F7777643F4C09883F4CF56C3F5780793FB459833FD70D8C3F929F653F09B4863FADD56D3F8B7B7A3F2A6C8A3F2FB6813FA9628B3F63997F3F3AE76C3F9E0C8C3F7D1A5E3F595E7D3F3E2A843F053A7A3FF53A7E3F3DD4853FE5F2553FF7468A3F0DFA853FC638713F2CCD713FB808743FDCBA753FE6AD7B3F2616913F49EE8B3FC8CF5C3F6F80853F5E2F8B3FB67A863FB33D693F8F2A5B3F0D91693F204E6E3FFF258F3F5EEE8B3F58927E3F1E24853F26A9893F7CBD913FD360813F1885803F1EF9893F581C823FFFBC6E3F37288E3FF107853F3A32893F53F4803F6C85923F796B773F4D645F3F8929813F801A8E3F8CF4793F0CB4783FFC7E623FA87C643F9D9D463F72AC853F16A3743FBA1F7E3F4BD3723F99798D3F2877833FA4996F3F4B91803F6C0D5B3F426D873FA738853FFA1F5D3FAADD673FA7B37F3F2ABF743F1C1D9E3FEB60913F4ACF603F4B0B883FA9D98B3FEECD813F0BC2A03F9D15853FDB736E3F7369643F03F3653F273F8B3F48F6823F5BC9723FDAA3673FA31D5C3FFACF8F3F5A81813FF41A553F2BD78C3F02358B3F9BE3863FC03A7D3FC4C4713F403B7B3FC0E85F3F8FB6843FCD96783F6954733F4229953F4932503FA1FB933F38AC8B3F54D0693FFA60853F"> : tensor<768xf32> to memref<768xf32>
    %51 = loop.constant dense<"0x190E9E3BF59B6B3E47424A3EBDB3613D03D021BE849B273C86EFB8BC7CEB44BDD267783D29F730BC91DF2BBE8E4214BDFAC297BD3335A63D7A6965BDDB44C5BC6FD041BE5C339B3E42B3653C89C82D3ED8FB8EBD87C9D63C689799BD9D98CE3C1A0E003D1D11F43CAFACEE3D3D4C793C6F32A53BD4C3CB3D976C25BCC783893D3314493D55C025BDC7FB16BE7336F73CC26AD63E4708CA3D956CCDBDE3EC3E3DDB62F53CC57790BD856A7ABEBFCB0FBD8AC30C3D23E501BE901563BE5B6980BE6508CDBDAACF733BC1350A3D3FA8F33B43D1C3BC9FE03B3D8D9831BB9DA8233E0C5A0D3DEB1A22BEF39007BD156D273E17493DBDDA24D13DF896713D09882D3E7DDB57BDF422883DC725CDB9BF92FABC2CC2873CC5EC053E0F939DBC604EA3BD27888CBAA40BC4BD8FAA2B3CCAA9563EA2B6503D03ACD7BD6F57003EEF9600BCD7F2433CC9FD3A3E179E293CF2A94D3D65A576BE87883E3D0B2116BE6FABB0BD37BBA6BDFB3A7A3D2E95A2BD3A6767BBA125313C6FCF49BC7AA7B0BDFDD1A4BD2B0BAFBC98DA8C3D03CB0C3D53EB1E3A4562E8BCB0F35F3E60A9123D9B0F283E698E263EBB65123E854EF6BD07DA93BD2E3CC7BD0D29AB3DBCF4B53D9B4EA4BD3CB41EBDAA07C83D2B2A06BD4F8056BD3A1B56BD2A2C213C338B063E607FA1BC12B4F63D40F2823E8F009EBDCB08FEBCC134B23BC97F483DE000023E8A44D5BDEDE5F3BC5192303D5A32EE3DB9440E3EEA4C593D45A3D93D4CE8953CB9F40A3E8B2184BDAE42B93D9FB10BBD169E2B3E8D284E3E1295403C723BC93DEB85F7BDA7A7C9BC0001733C4746283EE036D73D68CD2F3A2BDD26BC95C378BD93EC2A3C97C0283E5456BCBD53850ABD57EAD33C0BD98C3D09968F3D7E85893D32E0A9BDE23D4FBD330101BE33F1F93DAFEA32BE4E0A143D7329ACBC91F7203E0CBCA3BD9B2D55BD33F825BCAC97223E9896F6BD236BC43D3F83A73DEA652FBDA0EEFD3DBF6D653DDAD9AD3DEBAACABD432DB73DC63F2F3EC042EC3DA5FD0A3DAA630B3D477DAD3DE3203D3DD3349E3D792A223E2F1D433E009C183EDF8FDD3D92FF6ABBB850C43DF73A8B3DC5C52F3D78097E3DCC8E0C3E3881B4BD8BAAAEBD75E7DC3C897BA4B9B39E7F3EE0B5693D6C63133E54EA393EBAE1203E732382BD3EA43A3E8FF0D13D7013F83C6656A33DF34059BDDBE7E0BD10AB9FBDCB7E093DBD7FE6BD3C7FA639C7ECB33D67CA2E3D46ACC73D1417353DEE8A92BC0FCAFE3D7A1C46BDBB133D3EB31CF83CDE43B6BDE68705BE1729073EAB82DC3D545E09BD2B09ABBDF835823CF0A786BDDCD014BE1849D23D0D10613D8067013E5B2A3DBD97B16CBD4263F7BC5783783C475F863DF30B1F3D5EBDCB3D1B1FFB3C47C4B2BC7A85F7BD17F9C83C0B80E6BD28EAE93C6DBCAABCB68FB93DD764413C650A883DCD6695BCF7B2D43CA5EE04BDB5CC6ABCF8ECC53D96E1BA3C070C913D1185B03C30763C3B86199C3D0379C03DA112843EC8ACFD3DF827DB3D624E2CBC310AB63CF2A8113CBB4057BD505114BE5B7E963C4B15023DBB06073E0F39B9BC865A21BEDBF6BD3DAE850CBD108AF6BDB86B873C9018383B5736A4BDEF11A83D613A833D78507C3D362F2DBD587F5DBDDAE40DBB3EEEB33C736AA33C0B29B5BA42E234BEB5B2E03C58651EBE171C613E46302E3D8191383E15E914BE629BEF3D0FA9B0BD6FE3013D20545CBD2AFBDDBB4FA617BD4E928C3DEE71C63CCEBD283DCB7F84BC366212BCB52B56BE6B6937BDA682C4BDA730093EE883E0BB2FDC7A3D6F4214BD5F0E0B3D643EB0BD6573373D7722B53CE87223BCE5010FBD9BC3EFBDE6F58D3C2001133ED74A233D541048BD772322BEDEBE4ABECD852B3E93B046BD54DA2BBD2D0F18BEF55920BDEBF96BBD6D97E93D95D574BC113C343D0BAA86BD390E2FBE9AF7953DFBC937BD9759573CD95E9EBC638CE0BDE891203EF3F0E8BB3FC79F3D9F906EBEF67D253E67B7973E5FCA7CBCE782D53D3793FDBC9722083DA3F0133E94C48BBD59FEBC3D523024BD5B6FF23DAC4021BE2717E3BC8FD4EA3CD6BCA53C30C400BC6F9E87BE098E873D276601BD621C80BC5952ADBDE007393DAAEDDCBDAB1AF03C475291BD58C2CF3DA5F3C1BD6274ED3D7A511A3C1BEF43BD7DE79CBDCA5D7C3B9D4424BE437E93BD933F1EBEBFDF1D3EE3A17EBC7BB525BE13D4FA3DAB07C73C588D93BCE82A64BD0D9D49BD391B413A2BC642BCD631113D8BD8BEBC09B1BA3D1854523EC18682BD1D17D23C3AA70C3EF69B0ABE0297F13C6B18763E1C250FBD58C5D9BD07B68A3E1349003D3B395EBC2589A3BD5189C53C5826853DA69FAE3CEF72803D7FD77CBDCD5E6B3D73BA0CBD2BA2F23C066323BDB25745BDD310EDBD191527BC50A0563D821E683CFC5DA4BDCAF23E3AA6F5033D02BB53BD768412BE0D10DD3DF4E3963D6CE8173D7D60223D711CB6BD578D3FBE4A34113E5F54B1BDEE8B083E2BD736BEB33338BE8DAD963D01CDA8BD08B5EBBDB289E23C82A3333D92CC753CE2C9A0BD777D923C40E692BEB38E233EB0586C3DD7890B3C5586133EE390AE3D476AAD3C0FEE07BE7AD3DDBDBDCF573D1A63EA3C540A9FBC6C0349BE03B47B3D033089BD9825C73D216F95BDE591923CBB2C83BBFE160D3E722E1FBC9B74DE3D8324E63D98F41ABD5A535A3C37856B3BAF86ECBD3579DF3CD082D93CE04535BE5DE8B53D7B8C22BDF866013EC8CA3CBDD97200BDCA732B3E4658B4BD5565143E2B4AF03D989266BD785FB73C7AA8693E387972BDF59B013E647BB0BD5DD24DBEF11B3B3D534CA13C0F04A6BCC716A43D29EF16BD5368B93DABFD823BD75E44BE23F5C83DD4279B3DFC2B02BEADA3DDBD43202DBEED4E44BC5EFB02BD70A994BD846126BE0083193E37ED62BDAC6213BE7FBEDA3BF727E23CA88AD43D0383463E032A243D55DCE93D6967343E80CAE5BC07DF5FBDF3DE78BEB54F6B3C97346C3DEDE6323D03A7563D53E25ABC2BAE5B3DEF3CC43C9181043EC08368BDDD64ADBBB1B2293D6DA9DA3DC3114F3C8D1F603D5177BA3BD2867F3BF0935D3EAF49563EB3EF02BE228D4F3D551E1D3E055798BEB42A2C3E9686B0BC534FF33CEADF6C3DAD7BF6BC7323BCBD451DFFBCC5E5083ED9F0143C06F1263E6B52913EFB820B3CBB91A33D370DF7BCC5DA2CBEBC970D3EA2259A3D86BD88BC20987DBB8BBEBEBBAFE5DA3DD5E31BBD65C23DBE1F26FC3DFE4009BC5818DF3BDFD481BD34C4113A5730A63CD7B275BD85489BBD2A3B783E505466BDFD1E2E3E4FF7373E4A8E92BC5C4B883E723387BD3CB4AF3BA6A10FBD098402BE6239513DA3097D3ECDB7F83DBD3F5D3D532CCF3C447941BDC8FD3D3D7B0065BE87FB21BCD337273BDDD6B7BC21DF053BDDFEA9BDA5DDCDBDF5D79C3CCDA073BE92A129BC04C1C03DFA7220BC6365873C937AABBC3900153E235A8C3C8EFC93BDFFA24C3D6BDA52BDA3484F3C83C660BE2D296ABDC03483BBF1CC1D3E13B95D3DED5CFE3C27CDFC3D4790C63CCA0810BE3FDFF93C1BB82C3E9898F43DEA84823E4DAA203CA06A44BB2741F43D6753283D475B3BBB577D6BBD282B4DBDEBB6993DEF98E1BDF5BA2A3D03BF84BDDC080EBDE5BFD5BDFF918F3C99AE3EBE079DEB3D3548E23D163FB13D9F1C9C3C8F7258BDE2FB7E3D88300D3EB09A443D1B64ADBC3D35BB3DBFB826BD735B19BE7BD2FF3CAE5988BC7B3574BCDD936ABC881E31BEA46BAFBDD2068ABC4F24103C706010BDB9EEBA3D512BBB3DFB7486BEFB24DB3D07CBB73DDFAF313D63AF13BD5D7CBF3DFCB2CABD9F66C0BCEAB9B8BD7B38D53C2C0833BD2518923D2F41D4BDEB6923BDB53C66BD4B3A30BAE32FE03B0B211C3CE533CF3DE302C0BD826F983DB5F9BABD9A4DE3BD66ECBF3C05BAFCBD47DF253D92B628BED438053CBDB6833B27F2C73D50623DBE3171163CA39C72BD402BCCBD973B7FBC17AB4C3EFC0E313DBDE46B3E7A6DF73DEFCFB0BD9E704C3E2FC586BEAC2949BE9204E33CB266DABDBF730B3EE360943A586D5F3A0521E8BC92E3DDBCD574B1BD485B753EFB03F6393EF39E3DC7B1123E027DE33CC13598BDE33923BE43610FBC4EB6813D7F4A9F3DCFAD3BBD7FC4753DD25FCABDC78DC43D1549FC3DEE36AC3B6F09453E2DC65EBD770F9B3C4895D03DCE8B983D77C019BE4338B43D643301BE8316FA3D0B9B013ECD9F93BD47E7133DE027F43DF3BC123C35D5ACBC287E8D3D3FC478BD27A8063DBE0F25BD93D378BEBF6F683CF81B533D336B19BD082C0DBE75F31DBD3E7412BD4DC72B3E8359953CAC1A14BED7B29ABD558E8BBDFA300F3E3BC769BE"> : tensor<768xf32> to memref<768xf32>
    %52 = loop.constant #opc.blob<tensor<3072xf32>, "", 0, 12288, "79e93675e02b32f5142aefd15c1115049076bb52a17ef54ec25c6e408e30d951"> to memref<3072xf32>
    %53 = loop.constant dense<"0xD5CB503D71F222BDA0AAF1BD1AA49D3D23566B3DA18B4A3E7DB9F7BDC0F0DD3C63CECEBDFFBC12BE100C1ABDA737F3BC3ACBD8BDBB9E19BD384FD5BDC4CF973E829B123D13890D3EDAC314BDEFABAF3C337A9EBD8F822B3D62387C3D1F3C8A3E6A81023D63A9C7BD098D123DF7F47ABD330A2BBC39F392BEB2187CBD023FC53C662CBA3D08B7A83D62DA7F3E73633D3E0B954FBDAB9EE4BDD5F0893B985985BD4E10413D6CCC9D3D8B379F3D0BDDBA3D1294FE3D67B4C73D9BF3F9BD5D47E63D6CFEC3BC493F163D75B2BE3CA7A5013EF3D380BD6F8E5ABD3E301CBE638A493D1FAE07BDE937B0BDC495993D394B16BD4AFCFBBDC48F3DBE405C63BEE0E35DBE6F160EBC78A1763DE21AA23CE54F84BD08C87EBD67D58B3CD74F5CBD147BA6BDAFC28DBDA7FCC6BD046BC03C3A4983BC86A3383EBA8AC03DBC7FA5BDC519F83C94111EBE6065F53D674791BDDD8E8DBD88DDB5BD9C53313E47D3493D6039F03C9EB7AC3D078A113E2C48A03BF230CD3D5A4FD63CA79087BD7BBA9EBD24A216BD5AE02B3E9F2D11BE02B6263E250AA3BD675B99BDC9D5363B2355323EFD03D93D0B7E8F3DF8A36A3D8A1C4DBC030419BEFBA13FBD9D9515BD7AB459BE3114943D27E540BEBBFFE0BCCBE7F9BC9CCA063DCD0D78BA8FAE7EBD3F3545BD9F8DAA3D0766FDBDD84953BD2B4B433B7DD9053D8D0225BDE5EC663DD79903BE848404BE4E7B3D3D7D9E19BE2F62083D0B65ADBD084F1BBE57A8DDBDD86ED3BDE7A6DB3C830A93BD3FB3E43DCBB124BE6F635ABDA3FF983D95DE65BCBCC99E3D31C0173D0CB01CBE03DE793CE585093E98CB333E6F47623EDFC230BE0B69903DDF9F26BD6D0B913DDA7ECE3B95816EBB1BBEB9BD515E9B3D778CA73DC3B67CBDD823023E21A6C2BD9D1DE8BC891EC53C23A2263DCA2C5BBE37B5E13DF345E93D8C7CB63A9058FA3D181AAF3C7A0C88BC4F01CFBCDA8412BD670EB7BDB4C9333E25BC5FBD1389413B90DAD1BDE1A5233EAA5C2A3E3308DDBD7210AE3CF310B93C787DA0BD58D8B83D4707B2BDB3D6D43D72DC153D32D1713D14B304BE6703483E1F44F9BDA2D6FF3DADC2DC3CF7D31C3D9365733D0F855D3DCAE11EBE3FD6983D7507FCBD2F9A603C906631BEEB686C3EBAAA6DBEA66EA3BCB3F0353DC328FFBDBB3384BD06AA44BE8458A8BD6785B03D1BF3333E9C2080BD43F53EBE8DF990BDA540B2BD1B9D753D45BD763CB5EED1BD0A0C50BD7A69D13D97578E3C839D26BE4A6DB93BA6BA403CD2342C3DE3CB79BDA794B0BD4F09F83C5D037BBD22F40E3EC5AA593DF78F043E2B6337BEE6E881BED0A5903D2DEE59BE56281DBE7B7EB3BD9364D13DDFE4613D5C3910BD487BC73D7EC180BE7213D3BDD77E06BD44B9C53B67AFE23DD6718E3C0E83463E7F5B6DBC939F65BD502B123B2970BCBD4404CCBD9CEEAB3D6C759A3B9B9661BDF506FD3D01209ABD75744F3D1886F8BACE6699BB8FF9193CFFA169BD5D8583BD0E67AABDCD6B563D1D1938BE770D5C3EF7C8F73D634B30BD93E8443DF272973DADD406BE830A33BCCB21723D4F032C3ECBCDFA3DD78CDA3C57507DBDAA4A5BBBE3A3C8BCF90890BD00C0E73DDF2508BEA79B553DB01EF13CF7D9773C889FDEBD720F98BC371AF93BD0D95F3D4502F0BDDA3F853D5DB9EFBDB2F20F3E9E034C3CABD6E7BCAA8762BD6BE934BEDF97A3BD4A0DFE3CCA4B03BC5BC18B3EEC8E01BEFFB2483C9D01833DDB87BB3D811B143D47F1AFBD9F7286BCF0D1E73DC6E2153E61D60B3E1C9C8FBB3BFDC0BD4A88BF3D69A1CA3D1893FD3BBF74253BABDDE0BD63FACCBC103512BE5ADB833D88ADD03C3C5A033E6A16753DBB0F51BEF34FFD3D9BE2B8BCA574F93C27AB1F3E43047CBD58114CBD47A8B7BDD787EF3DC487413D177E193BADB29E3D9D3C75BD9DB20EBDFF59CDBCEA3119BE348E913D4BAEA2BAA504E7BD27E657BD6846D73D148F3CBE327EF23D69D9BABC7F2337BE965D883DB34C0E3D412B963DD5E21D3E76B8923D80C029BDCCEE3D3EF396D13DF1EB833C339E383E6F3E423DBE8B433EC3017DBDFDF9843D7B0CDF3D5BE8EBBD4653A53C5975373D84D705BED7E721BEF36B683D7322AE3CB3728DBCFF95833D7A14E33DD822653E98591F3EA729B13BBF471F3C233BA2BC4F24023CC1A192BD2A2BEBBD5F91CFBCADA007BD6AA979BD2FDA7E3BEE76143E9DC4C2B9478D783DA6E8353E536C513DBFD2A0BD4748E23CDA2B403D49C33ABDCCDB1A3EF8F305BC73454BBE37FD57BE1145C8BDE037B5BD5BB82CBEC0D561BE55E0EB3C3FDAA0BD8E5E15BC0942A2BCFCA637BE858B563D30FB5D3C0EEF2E3D9A1E2DBE3B6597BD78AA2A3EED33203D90611E3D6B7A743E3BADFDBC85A8713C57110C3C5C11A83DDCD59D3D43DED73C1351E93D0D0C493E4E6548BD98EFFABD12CE44BC73A01C3ED36816BE07470EBDF4FAAEBC12DC203E2BA28DBDD97B9EBD7956AE3ABA598C3DB1FF493D3BA61D3DE83200BDED1FB23DC99A963D09E0313DCC84213E3B74EFBB1B1B16BD2A20503CF3796F3D67F1F73DFFB9B43DF30E8ABD05F966BE43FC5CBE294C453DAF7DA63C0570C93D302BB9BD7F2EF4BA4BDD95BD3290F93CB01EE83AE354AD3D82F878BD8506513C5BA75F3D863D8FBD4D63013DCFB3823D17693BBDFA515CBD6ADD92BC98AAA93C7D01043D89F286BE9513283DA79501BE1B4B393EB759173D77EFDB3D3886F8BB7E5EC0BD77A698BD42668FBD3DD9CEBCC175473D1492C73DBBB019BE2005E63D7B07553DCBF298BC0950CABAEECE03BEDA412F3DF201DDBD43ADFFBDE68292BD47C4E43D17DC2E3C55D6EB3B2FEC803D9F549EBC2228E1BDFC8AA9BD971339BC8B83763DDF6DA9BCC5CF7BBE5A3EDA3B6605033EFF6350BDF595D13C200E06BEB115113D51009A3E1EBF47BCF5080CBD762832BD30E49A3C9B6A81BD3AD7363DEBDA503DE537003B5B3320BD62AA393D3F82813DECD787BE3F58173DB5D80ABA32F2B0BD7AD9F2BDE5F1D9BDEEA22EBC3020EA38687C23BE7690BA3D7B0A683D1744A53DF366E7BD2699C2BD98C15DBE1EE904BEE995103C85D9983DDDD27B3E05635FBC82FCD3BDFFE8D7BD875572BDB4BBB23C7C869B3DBC1CBE3D40DDC73D6742883DF77500BEDD5D963DDAFCDEBDF23E98BD23E23FBD2F8BE0BD01923EBEE8D14EBD938CDD3D1A9B4F3D627B03BDB523FEBCFBCF233D1B99CD3C3707E7BDD253D83C3FC2623DC3498D3D219B333E7FF5AE3D459B663D3588C73D23A78BBDBD22DE3C97CD963DE951393EBFB401BD2BD3883C681ECB3CE249C53D0F02573DEF0F8DBDBE42C43DE71F153D7836043BFD75B23D0BE653BD473751BDD6FD3FBD3F13E8BDE635B23D20A8563E20EE96BD3BF3C7BD3E1EA43DC56CEFBCF0013A3C1F93DF3B0BBE1BBD8932A8BC5A97F9BCBD663E3E327EC03DD6C589BD43B959BAA2DE403CAB6A4E3D8228ABBC13F6B4BDBA3A083E1B866EBDCEC10DBE19822C3EFD669D3D361141BA3061D9BCBBF361BEC12C0A3EAF0BCF3C9F67033D7A49D1BD68A5123E9A37E13D1230EC3D4626A53C047114BEDF4E87BDFDF065BD4FBCAC3D3F0E86BD9B8173BE5B5D96BD2D45B8BDC61204BEC33D143C2B1511BE2FDD28BD8D755E3D0F55283E8AFF9ABCAB95553D2A00703C956F1FBE53C126BD60C190BDEF8A0F3D5373833D071101BECB86433D328516BC87C0E6BD9AE5FFBDD3FA213EAE63C5BD20C2673D67E6373D35874CBEC33134BEF3066FBA3B1D673E1BAA81BD6BFBE43C078F8ABC4A5A003D3C36C33D36200E3CEB85C1BD7E92A9BDBD9092BD5F6AA83DE00F993D1324E0BCBBFA59BD1FD96BBD6816C83CCBE9DB3CABA4CABD8DD6793D1067A9BDC7206BBDB5D7523D78E7A5BAA5343FBC4FCD523C152E42BE5EAE37BC7668353CB845E5BD57B3BF3D2C8D3ABC1B4031BD58F11DBCD9CB8BBCCFA3C9BCA0B153BD871F93BCA69E943C7886DABDCB1DF23CF707B9BDA1F4453C864DB83D9BA969BE5297AC3BDA33DEBD60E87CBD67D4C23DFF1170BC31F0B8BD1252303D5BBA89BD44FBA13D6FA5CEBCA12D413CEFB6C9BCDFB126BCBBC17E3DEA84643CFBB89ABEDB7CBFBB87F915BD02A3E43DFF14213EED04C73C09082F3D2F57CB3DAA4DBB3CBFBB07BE586708BE4FE14DB91263E1BC186CA6BD408CF73CD77B78BEBF39C23D4EF21FBD2043D53DB98A3BBDAC6FA43CC099CBBD0870B5BD2811CE3DA43708BE95BA31BD07CC23BDD2C62B3D8F9D773D329837BE8A6CFCBDDBFE773D856A693D5BBFBABDA0E709BEB5D554BE8566D13CFB3C0ABDD086C83D953B3F3D9306F4BDACC1B7BD776B313E"> : tensor<768xf32> to memref<768xf32>
    %54 = loop.constant dense<"0x41E9913F1AB7973FEEFC773FD29D7B3F4704823F07717D3F8129703FE7EF503F02BD433FD5AC733F3868833FC965833F3FFD8E3FB32B783FBB6A823F0B6E7E3F54FE563F44269C3F6C758E3F6D158A3F990C923FD53F8B3F72F97C3F88156A3F66A37C3F952B873F1BDB833F1503763F53AB8B3F56068E3FEF8C803F3B46833F83C2303FF479823FEC264F3F0FE0863F99B98E3F31708D3FCE817D3FAF4F8C3F04C8723FEC92773FD52C8A3F74E07F3FB59A733F2EFC793FA5C9793FC6DB7B3FD3918C3FC6CF683FEEF2693F48CF463F918E483F6F537C3F44C1823F3AE47C3FAB2E833F9732813FAA2C6C3F1398853F116E8D3F735C8A3FCDDD9C3FADB88B3F74FA803F7458893F0399863FC8868B3F23036E3FDAEC613FED6E763F43167F3FB4ECA53F2C23783F03FF773FE8576E3F400C823F7A256D3F3E3E683F0844693F8CD7563FD80F7A3F431F8F3F403D823F9CA08D3F8A878B3FE893903F6233963FDFBE663FF04C7F3F83B8883F2EF8853F7DB8873F1BDE7B3F9FF9813F9C935B3F559B6E3F91CF873F35A9833FB5DD693FD6D7823F22578A3F3417713F9524A13F00785E3FF660803FABB9893FA4BE5E3FDFA4933FFAC4713FD6748C3F6AD76C3F9505843FC7CF813F58FF663F1C795F3F9992823FD7665C3F2FDF853F171B873F1D3F803FF12C933F1160803FE446503F32076D3FF84E793F84A67F3F536A6E3F659A7B3F780E6D3F2126803F437E713F78B4973F6FCC883F12FB743F07F37C3F987B923FA100603F0F8E853FA6FE5C3F0294863F2D0B713F2997713F3F298A3FAD93943F80BF8D3F4D44793F8D26743F6A8C843F4633863F7F5B723F9A94813F4D97803FCA806E3F2273563FB621833F956A593F377D5E3FE9108B3F97D3863FBAE6743F73AF873F511A8A3F12D1843F1DACA73F3843673F6AC38D3F673C553F74C5663FA8E2583F943A5E3F16D4783FA426703F3C0C8E3F4DA58A3FC9034F3FD8A37C3F1A8A6D3FC4149F3F918C823F867E7E3F4289743F446B7B3F861F873F35F27E3F05FA273F6C0C703F741D853F0A43843F7650833F30A7813F1326603FB961563F12B36B3FD5114F3FB855723FD2256D3F7C4C863F0C76753F1E54803F307D843FDC278B3F8311803F571FA33F5DEE813FBDBB8A3FA23A6A3F6F087A3FE644723F2C2D893F3388833FF4608B3FEDF2783F68036B3FF68F7E3F33568E3FD194563F1DB17F3F6818753F5A6C893FC041643FBCF5873F97A16B3FFDDB683F87A9803FBD3E8A3FCF42893F18B8483FBD8A8F3F7E868C3F613C893FE54B7D3F1B848B3FCE6C813F3E7A6F3FE8BC7D3FBDD88A3F3906633FA265973FC6FD8F3FEA46883FFA3C853FF6D9803F8348823F286E763FF836933FD663923F0393813F85C5783FDD9F733F28398E3FBFE24E3F46C4833FC21E733F7F88843F8E7A5F3F1634853F3E0E673F9F83803F5678933F1357973F5C17833FB1AF893F5C778E3F50FF5F3FAFC1793F8E076E3F49D0873FB935843F2346823FD288923FEED97A3FE18B6A3FBAD88B3F7CD6843FEFDC743FEC4D7E3F33667E3F7489823F0A547F3F5A438D3FCCFA953FD36D8F3FEFF74B3F8FBB793FCA068A3F1C74523F1E99873FFB64713F8E75433F2C5C803FA489523F7C3F803F189D913F53C38A3FE3926B3FBED38C3FD739883FD804893F656C9C3F128F843F73F4943F628C8F3F41A0723FE058703F47808C3F8A44813F15E28F3F73C6863F8DE1693FEC4C803FFD12803F0D978D3FFF286C3F4174683FB1FA583FB28F803F2E767A3F620A703FED53903F7B14833F27B9663F9FFE8C3FEB427E3FBBE7843F2FAA813F30568F3FEA0E733F17787E3F1EFB5A3F40468B3FC79C8B3F8C346A3F4346813F6B0E813F9C77713F965D743F585E833FD8808E3FE2958C3FB02A863FEEAD703F2C1D833FC4E3843F9E189B3FC640793FC821883F774E763F3021593F3BB0793F01FD533F54A8503FB4FB7D3F07CD693F03228F3FD552663FD39A803FE0A9923F3B7B843FB39A993FB3878F3FFB28843FFE19863FB6D2853FD818823FBDAA8B3F06FC643FAA1D5C3F9F54923F1C2A593FF5F88B3FAAE5843FAFBE793F2248763FA7048E3F9671753FBA8D843FC118813F1E49513FB617463FB121863F36A4623F9F17913F7707793FFC54903F0CCB803F73D9823FE3D5613FA7B18D3FAC8B483FAD41853F1F56833FA9A76D3F341C853F37987B3F7C6E633F65336F3FCBB97A3FE48B703F3948903F1359733FEA6A873F0EDA8F3FBA286E3FB9C0813FC5A4823FE235923F3237973F3CBB783F6F19673F1651963F92CC803F9EA5943F3BAF923F892D843F64A5843FF695673F3D537C3FF5E7833FDAEA783F7CAD8E3FD8C4883F3C5F713F0341763FD71A6C3FACFE773FAE0A703FCEEE6B3F2080823F4181893FC6528E3F7EC8743FDF43813F61EE8D3F34208D3F5275853FC18B6C3FD4058A3F997B663F8D1F853FB8F64A3F7708963FEF8A7C3F0C79863F3E12493F7D8E853FBCD9713F4B44753F9DBF7A3FCC72873F08E8863F0F6C7B3FF47F663F53897F3FCF968C3F44F55F3F188B8D3FD5CA5E3F32E2893F8844803FB836873F01EB793F533D5E3FB3BC6F3F5EAF593FB834583F8F2A843F09DF703F39C8903F0473893F0F8C683F134A753F1FA8803F6838853FC360833FD965553F4F9C903FE9B4653FB492763F6B4E463F19CB893FD38E843F66435E3FEBDE793FE9FE763FB27E8C3F11986E3F0AC7653FB4897A3F90AB793FE7968C3F16F9533FACBF703FEA998A3FE88C673F2135633F78308E3F8D3F793F0797913FF676793F268C563F417E753F3928753FDAB38B3FEFC46F3F81F1883F7C015D3F7A278C3F322A7C3F1F80833FB3397D3F868C853F0A48823F71A68B3F9F635D3F14FE6C3F9D107F3F3A0D573FC69E8F3FB06D523FF0BF883FE22D8A3F15E87B3FF23C573F917B803FAFC4783FAD3E743F781E8C3F7D378C3FC38A893FA124763FE91F463F3CD37E3FEBFE853F2831613F110B883F5A99993F73D47F3F3A70843FE2238B3F2E76733FB923533FD5CA743FA7007C3F8CAA7D3FB6072D3F68D76F3FAD05943FCEF15D3F981A953F20B1883FAF7E863FCCD88E3F23CE863F2BD5863FE197753F997B6A3FBAC2573F4FF77E3F76D0843F0AE7923FFDF5913FFD91753F12DB853F75E9883F1397883FD86F843F164A603F293E893FD1A28B3F19F86D3F0FAB953F7E49723F47F06E3F5E76703FDC0E933F68C9703F05FF853FDDEC7C3F65615C3FF03E883F8B606F3F8C5C6E3FEDBA503F805E813F0C7A8C3F31708F3FE0CA7E3F88CC843FD141853FE1E9843FD8B8833FE1E77B3F7761623FA31C563F7938513F0F8E6D3F5C32913FD90E693FA5D76A3F093D863FF54B883FFBFC653F54F6853F9775873FAAE5953F5B68603F92CB803F2A8B5F3F11D9653FEB57813F6811743FEBFC753F43CE813F8EAD833FA614933FA955753FA114903F19D94E3F82FC863F873E653FD788473F18D0553F39F9873F3773863FB1B58C3F4D14713F7B897E3FC9CA673F21666F3FB506893F5D50453F266B833FD0C0793FAB54923F97719B3F92A2803FE218843FA0A37D3FBEEE7A3FA3016E3F60AF5B3FCB508F3FDC40863FD1AA583F3D18843F7D37933FFEC3763F0D026F3FECA47C3FA2D2823F74AF7A3F1EF5573FFDDE943FCD0B8A3F087B883F4843763FFE92643FEF9D873F7DFA783FE640733FDA35843F8615833F515B833F35FB853FC3534F3F705E823F2D2C763F5416873F1392873FE3E7873FAF95733FB1AA853FF6788B3FF37E7B3F8F19473F4A165C3F6BA0503F968C693FD03F583FE86D773FC70D6F3FAD4A7D3F922B873F78068C3F585C6A3F323B5F3F384E703F536C883FD006763F20998D3F2098633FB73E883F6877873FDC5E6E3F684F843F2E219A3FF3BA7F3F39E4833FF5E8803F06D24B3F734C873F5B3A953F9BFD713F19B1713F18AA603F3314703F06AA5B3F0296743FDF98843F57F7713FD3F16C3F4AFD8A3FDDE7603FA8D8893FF2ED913FA147883FC2BE8E3FF0156D3FB830633F5E088C3F95268B3FEA1D493F3211813FD44A7D3FBA3E7B3F1959863F2FEA813F0034903F7C05563F5258743F447E713F8AE9623FF3A4603F45F75B3F9B63873F5BD3593F52E88C3FA65E8D3FEE80683FEE11923F54F1853FD0FC653F3E5B823F002B6B3F4785523F96D28D3F4B11573FA3905F3FF7B0823F4E57543F95EA6D3FAAAE963FB0155F3F7DD5853FCE94943F1FE0813FE4904F3F3977753F45DB703F0C4C6D3F14E75E3F80D6843FA7A28B3F7B0A7A3FA5877A3FD9FC703F0F6A913F"> : tensor<768xf32> to memref<768xf32>
    %55 = loop.constant dense<"0x80D9723D2E5BA53D8A26AEBD0D09FFBC977A5ABD798C8CBC4D269F3D7F922ABE87D211BCF2D1F23C01D8CB3D69B9C8BDAE68AC3DD25864BC83AC173E031A463DB0F38DBEA7799BBD997A8F3DAAC0093ECFE5C43DCBF3CCBDB2EAD2BC2741A93D87D90C3C554FDF3CF77327BDE78D01BC937B4ABEBF3AF43D3918913D734E3CBBB857B23CEADB4FBE1F41E9BC849E483D7FE9A33D102DDE3CAAAD783DA705413D579C29BD85097ABC60D32C3DF02D413C6702CE3DDA59F8BD005449BEBBC577BD930D6DBDBCB3C5BD27F3C13D383D8B3D480C61BD93973C3E70A8493EFDB850BB70B9D43C65A602BEC23C893DD1033D3EEF8520BDDEC42D3DC7318D3DDE7E283B399186BD780128BEA5BFA1BD23C453BDBA3F0A3D3007D53D1056623D6BD08A3D6B82D5BDC33A15BD5E6C283EBD9990BD53D5D8BD4C65B63D0AFA06BC1B633C3D28469C3CFD18A0BD1BFF41BE8377A4BD0B5B98BC9F19EC3C11BD1C3EDFE684BD285B9CBC1511663DA237BF3CCE6B213D9742E1BBBC270C3DBAA80A3D6BCC273C92FF7E3CC2C1E3BC7A06073B8B0DAABCF38189BD2F8A41BAAF20323DC58764BDE6E009BEB0F3FC3D071B1BBE98A087BD7FC6C03D9A05D7BC6248EC3D7D41BA3C370F0B3E2B4DD7BDB2C9CE3D6F1726BCDEC526BECA96A33D7F34CFBC97B9C23C36468CBBCD976ABDA40A003E58FF0B3DEC83C23D1CC0153C047CBDBD4C6F123E18B28B3C63FC343D4F10963D1B91E2BD98B4D8BDBA82E63DC235D9BD0848EE3D93BE803C9DC18C3B3FCE9BBD37FBA73C079C0ABD1F0360BC471B00BEC220F2BC0A22F3BD05DE563D5DE65D3CAF58B43D6EB1A73CDBCAC93DBC920D3D0F6CBF3CB79A0C3DBAC3D2BDE79D47BCC001EC3D4FC1313E97DB273E6F2A10BDB16CB83DEABCBBBC4F12D63D5B326A3DE60196BB405CF43D6D7F653E306D4ABD2ABA82BD7185853DD31E37BE7B60A2BDEC8AC03D5290E23B8F4B8ABD105FDE3C4D4304BEA3388BBB12FC09BEB33A083D11EF933D7A9F9EBD77A3A73D8B6B51BC655CEA3DA837583E5B12883DBF55B63D40425FBD44A29E3EDECD31BEEA2FC9BDEDEEA0BB604AF73D0AE41A3EEE66C0BD7821753C3307A73DB7A55F3E3B09F5BDD85B20BD2D16203E0390AF3C130986BDC583D6BDDBFE7C3DD7F760BD5A657CBD8B852B3EFCD29CBD5BBEEE3BB2E669BC72AA5BBD1FBAF33D32D27BBDCCB0873D5B4BA2BD3F392EBD0F576FBDCEBC0CBE2B93853DB14023BED847393E9A61823E1BCA99BC6C8AACBC8BC0BF3C6DB8DE3D320430BEA72D93BDA3940ABE86BDA1BD7D89333D798500BE580BBFBC6F80C1BDDBCE05BE26E519BD47BF893D2B1BAC3D86A62E3D4D677BBDA96213BDF3A4B23DADC2A4BBCCE6973A627D9E3D27E65DBD7B16603EBBADB5BDADF828BE9BEE5F3D67B2B8BDB58814BDCCB4253EF2CE673CA3B64EBD2870A9BD54A8063E0BF6AD3D7100BABD2D7349BD7A58B93D78C2223CA844B0BD156C803D7F2203BEA13185BD0FCA4A3BFB8EF5BD920189BBFB81F3BDC61832BD6A7F9BBC5DB1B2BD9381B33D1B328ABDA96E82BC577710BEED0982BE62ADCFBDD654AC3D62EE353E40D3A1BCD452BFBD1FEE0C3EAA3F16BD472C183DCB31B7BB5FB0813C83ED533CC31F0E3EF6C5C3BDE76DAE3DFB4373BD3754ABBDD091FCBD5526033EFD3B95BDDACA213ECEACA73D5EA3243E030D243E57035F3DACE89B3D75CF193DBFEE1A3DFC4700BE4B11413E259E99BD8F1D623DB98D29BD7F23FEBD2B368FBD6F762ABD98CC0E3DC6C53DBD5B44073E439505BED78E83BD171B27BD2031733D347B393E958F78BE7A98D73D0A746BBCED0987BB446422BDC409003E4258DD3CB658A33C68ADAC3D23EC233DC1758F3B7330B0BCF1DEC53DD6AE20BDB82DB53D6BE4B4BD604EBDBC47C058BD476799BCD5F91E3E0A0358BD9A5FD8BC7AA325BE2F62BBBDB3E458BDE788433E21BF8DBC92175B3DAD8CB5BDE351D9BDD326563C6F810BBCF7F9C9BDE516723DED822A3C770EA3BD3CD94BBE925C603D1B59C83D98B9FDBCBAC20BBEEFBC373E89F311BED5467E3DD32C07BBED692DBDEFBA40BEC24F803EB9B3063D54952D3C3BF6833D03EEC3BDE777ACBDDBBE173C0F69273D4228D5BC607E71BB3D8E1CBEAFA544BE7BE8F7BDE87712BD5226A33D831C1E3ED3B815BD1D72853DFC08A93DDFF314BE8732E7BD29AA2FBC1F19BD3C474005BEEF55C9BD4652183E65314D3E3351613E82B380BD6C2799BD134FF2BD55EA81BDE92C233E5D92A2BD2C4829BDFB6A48BB5FAF29BEB7AEB23DB7ACD43B52DBE1BD2F9E06BD4D14F8BDF332FE3C8B212CBD737B56BEEB57EC3D0E6086BD5F6558BDA66F14BDF955113EBAAF74BDE89C523EF480ACBD01611A3ED0700BBD835FD5BDFE7631BEB7C5093D022A6C3D1E6A343CE199073C7FA8473E346D063ED2CC22BBDB9C693E4A509E3C6B9D0F3EAC1E9E3DDA2D39BDDB0E353A2B68F5BC549183BD250C84BC6F509B3D277C19BD6F7B2A3D85DCE93DF5E0C7BD21134ABC45D625BE73693DBD03EDF83DE2C83A3EB5BF353E6280A33CAB4CCEBC5AE5C0BDEDBFF7BD850CF73D97425BBD8F330DBD53448DBC933240BD9B1F063E12A3853E842D24BE4FD933BE12F0E83D5D9637BEAB98A1BD0C9FC1BDBF8739BD97F9D1BD1B878B3D4D3112BEC14F9CBDE7DE033D837647BC576402BDF304E33D60CEF3BDE3FB223E4BD38D3D0345983A98AE68BD8FEF7FBD7F1978BDF42E033D1FBA07BE41EC343D06F931BDD729B73C9880FD3D3122433D0DF91CBED74F673D69311CBEDD0E5CBE5A6E133E68B5823C5A4D2BBCE352FA3C9CAA003D89B1843DC66827BE6B4F69BED64B23BD540FB43C77847D3DF299583DB94B20BE70FC4DBE981E6D3EBC34B13D2F9B58BC3E9C94BC110829BE0A67FFBC5769F53D9B3B6E3D50C9233E3A9D74BCE83A033E4E03C7BD8024A03D79692E3BDD34DA3DBEAABDBDBF1CAFBD5D1A533DACDBA83DF408843D63E51BBE94B390BD6148363D2FF092BD4BF5223E7762B33AC3008BBB704B76BE858CEDBA3001C63DB9281CBD0FBE57BE94E9C93DC031B5BD6244613DFB510FBE5F1462BD4B6DC9BDD3DA21BD03C68CBDC06741BB6FDDB5BD30E2CC3DF2D45ABEDBB059BE9981B2BD334DC1BA741F22BDD885603EFB9DDCBDA55AC93D455B263CFFA3623C500804BE27EC4A3EAD546F3C27D80EBE2EC5A63D6D91E23D5357C33DA947813EEB2C7C3EE789293E7F10CA3D4AF71BBC477F86BEF900213E1D0769BD08A8E93D23778EBDB6FDB43C1FFDDC3D0A36373D8D92D6BBCCCF803B98E50A3D7A33AABDD350B63DA3140F3D3F3240BD139F563CAFC54A3DDC01B3BC8CA3A13C2147443C8DE0513D740E343E243A07BEDAC545BEA6282DBD5BF4B7BDD3A71D3E44C543BE8C7C173DC0775ABD183CEB3D80CE82BCCAB7FE3BC00D84BDBBDA01BE4BAB873E539A5C3D3399BA3D2BC311BD6B194F3DF46840BED8FCEA3D4D915B3D5A617D3D036278BC165ABB3D55ECE0BD58E37B3D0FDFE73CEF34CF3D7ADA11BC424D33BE13592BBE2298D23CAD5FC4BDEB3491BD730C84BD2FFCAF3DC224233E563948BDD717FABC1B867EBCDBC6163D979789BDC52A143E37F4BBBC538D203CAF60D0BDD51846BA6A19E33AAFF6E0BD0DA78CBD274556BE0084F63D8873E4BD618682BCE240143E172D37BE8270313E3FA312BD2E3525BD533F8EBD8065513DFB92C8BD7E2DC6BCBD574CBD7BE9783D70002CBDAD56B53D08BF8FBC27FA2A3EAE3E1D3D328AF9BD3FD1283DBA4469BC4774023D057D88BD45FDB1BD6566C13C2CC61EBC75DD4FBB554A153D14E929BE0AC60E3E8DB6ADBC771FA0BDAF1CEB3D2BD364BDD236B03DDA4FAC3DC07558BD8318CD3D464A933DF06ABA3D3EC8223EB8D8E63C2F9F213CCF453A3AD28E0EBC882F83BCAD1E01BC1549F6BDF378BE3C87AD063EF20E5DBD374283BDD1D4413D7DE3BB3C3D46623E0AEC00BED587143E1A50D7BC9ABABABB6CFD0EBC053F09BD863B163D6BDA543E7DFDD7BD585400BD328185BE1700FB3C6FE24A3DD5150A3E8BDD783C947023BDBB2A0ABDBB59F5BDDA775A3D7A12F33D49B6043E911B0A3E683D8FBDFB75553DBFB003BE8A11703EAFBC9CBD04CA9CBC772FBCBDCAB8E83D807FD53DD3F9E53C977299BD4F4893BCAD0076BB47603CBE676D05BD9693083DFA999CBB99DFAD3D0A7ACBBDBE91133EFB73B4BD1B2EEABD208CABBD87E3AE3D02ADCFBD1718C03CCE058D3C40DCE43D107EE33DCA968BBD920FCF3B878D19BDDBB39A3D91932F3ED658863D0877AFBCE3F008BEC3EE0BBD818C3CBCEDB100BD8E289CBC"> : tensor<768xf32> to memref<768xf32>
    %56 = loop.constant dense<"0xAF89DEBD2B49F0BD71AB8CBC828E63BC73C2E23DD59750BD7027CDBDCD09FEBBDBDC35BD8B2920B93BE7783D3957CA3CAC4B263DA2E308BDFB44A33D00B0C33DDE0F383E23BAC53DD23BCF3D9B64C9BD55EAFCBD43ABA73C40741D3D8240FB3B7DBBB1BC1F88D0BC4806013D1BC92CBC7EF0153E3BD6D5BCD30F0E3EBBDC2BBE26B29E3D77DF78BDC34E0C3E58D9D8BD0889F53C77CCB43C5D1706BECF6EA53D083C413EDFCBEFBC9B8D463C35CCF93D227AFABC88FEF33D20F123BC2FF658BD404681BCEA06D8BDFFE3E93CBDC3693C581305BE4F11CA3DDBEA61BD4A68143ED756A93D2B9DAF3D9D8B62BD737F013E17E0D5BDCF7832BDFD95CABD4FC5FDBD6B2DD5BC620380BBBF5880BDEED4303E3872153EC26BC1BD93BCF63D9F86993D690AC9BCCF4D823C3E190DBD848525BEC3E7333DEF55A63D270B503C5EA014BD0C7A30BD377347BCBDA466BBE47DCCBD6229E93D77532BBE60D369BDCFC89CBD47244B3D1107843DC30100BEF1D8213E9035893D53FDB73C64958DBD32527F3D6F93D9BB3A0E6BBD345C13BEA3C8DABD7D3D5FBD11B5893D5FD9AC3D9D7517BDA92237BE576B933CF13F8BBD03BCAE3C8779E4BCD233B9BD6F30133E7FA830BED283713D58BE7E3D2BBE99BD4A06AABD37D3DC3D3B0745BDA1AAB53D4BC6053DC42DA03D6AEACBBD8F34703CF8E602BD45622DBEEF96FABDF6ED38BEF44CA13DF5AF08BD8F295C3E7007A83AD5B233BD91D0AC3D4255D03B61DF843D879D933D4DD3CFBD1C458B3D480504BE4BC5873D38E1DB3C1BE4373CEE71173E136B103E78D9E03C9935923D12A788BE3067E83D0BA0A4BD97FF49BC7D3D53BD482C1ABD9B0E2A3EC358B8BDB03D743DF5FCABBDAB642DBEF8069E3C874ED7BDCAE9133B93F55E3E0DA7F4BCE28D6E3C3DDED5BD77A5C2BD10087F3C86FD403D8BB5C23DF5805EBE77AD083E6729CFBD7D1D0ABE7AC5683D9C56AA3D5666B3BDD818403E6E630EBD88CE73BCF0045A3DD75E8C3D3A4ED03D91BE033E134D4CBB2AEB70BDD1F50F3EF26D653DBF9093BDFB862F3D7FD6183E2D79163C7004943D47E620BEC317983DB4010E3D6C7787BC2141C43DF7F07C3E8984993D1A60A1BD02005C3DE282F83C92636FBD0AA8A5BDB714803DA9408C3D953004BD03FBB53DF3AD433CADBB84BD0BBE01BEE220DB3DFAB04C3D954FCD3B3FBF043DABE0653DBB704CBD3FC65E3DB2FBAB3DABA102BE2375F13D3962A9BC8314073E0EE00E3E17D373BB1F44033E409CEF3DDC372FBDCE3C3E3DF51FE43B4AB3D8BD519CA13CC6B1BCBD76240BBDB359A23D3A735A3E2622863CCDC488BDB0E5BC3CA0A43CBC3D7C253E01F88ABDD97200BE4371F83DCDD78ABDEB6ABEBC14463ABEC381CD3D8529BBBC0EA222BE13D11E3D114383BDDC3B383E2CE9C1BD83CB88BD468689BDDF10193A8374D33A173F1F3E84E2A3BDD7EE313DDD9066BEF501AF3DA7F2843DB05684BDB0E20E3DF65797BA20C4053D7FB39EBC6D525A3ED86DA63DCBAEB33BEF67BABD50F658BDB3EB3CBEF320003ECDC4663E37674F3DD3859BBD43848F3CA9C807BDB89465BE584023BDC20CF4BC3F9DC5BD978A283E64913D3D7FDE133C0830B7BCAA1B563E2B16933DB7A3A3BDEAFE2DBE93D0793C7BFE0B3E4F89273E6EE12FBC9A57AFBC7D61BE3DF3CEA83CC624863B0730B1BC906083BD660C2CBCDDFA6B3BB4870E3D31DE2BBEA89F76BBBB8A953DE305D1BD888EEB3D8B8DEB3B680DFDBD7BB7DD3D4D87FEBDE12B15BE5CF0A93D5584393EBB27113E75199FBCF3A77C3D38D2F1BD882D8CBD4F0172BC521C823D36FB8FBD832E86BD975421BD0B05203E5B9D8ABE2A4820BD10488BBDD6492ABC5AF3C4BB286D99BDC74AC9BDC83DDFBCFCC504BB338455BE1786FCB96BAD463CD3772FBC2DEF2CBD6D347EBD3A0BF53D63FAAFBD0FA62E3E1F1C113D3946423DB3F69E3E38CE5CBE64E8C9BDE456953C3700983DF36E943DFBA192BC0553A0BA9804DDBC68EA2FBDBBEDB1BD005A073E0088D4BBDF90D8BCFB95333D27E07D3DC94CBABD9BEF893D7B76053E7B489DBC85E8523DAF632A3C7537F8BCBA4DF03C120CCE3D3E37A2BD8DC4FBBC131B843D2FFE9E3C03A5CEBD8E6D98BD6F439DBDD2BD8CBD142DC23D8B1C89BD88FD703C17B0143EB5E95EBEE3CF65BCF3A70EBE6245E33B987CC53B67F8243E2EC6AE3C80B433BEEAE71EBE007A26BE4BD6B6B9FF2857BDCBE14ABCEBB286BD93B8953D008AC63C3FACF03D639E3EBE40311F3DF243ABBD0D18EBBDB0C26B3D879C2FBCBA10FABD9856D63CCF17C8BD02C550BDBE7E0CBE8D9A09BED05F653D3F0143BDBFBE723D5006F93DEAABD03D3222BF3C0FC637BE2DB71FBE73CB033ECD199ABC109B2B3D3B62B13DB04EC83DEF534FBD36FD11BDE7CA81BCBD48DD3C3235CFBD82DA1F3D4F875ABD57613FBCFFF5AD3DB9F4A33D1927AB3DDFB809BD882CFFBCE21D2E3E2F7DD63CBD7B353D956F5A3EDBC8D43DC75E46BD4400B6BD201402BE277AF13DE8641ABE839C103D7B80CB3D0C5412BEB650493E865C37BD09A8C6BDDCD991BD9FBB4CBDCFCA913BD93B3ABE018A1ABC6BD4AFBC6FB6B4BD9BB7E73BFC2802BE2D678A3E1F899BBCB255ED3D74A60A3EDB81A4BC94FF0F3DA3F1AA3D19FEB1BDF6A5033EE5CEC23C6DD53E3DF0C3EFBDA864543AF98B193E033907BED76CFBBB898C96BD56AFAE3A9FC69B3DE16727BD9B50D4BAE8FB2B3D978813BDF8F595BDC2DE91BDC8A6623D9BA0F6BD8B100BBD874D8ABD2DDD99BD399CB83D65EAF4BC21592F3DC04B77BDA156BBBD5F12BFBD77669F3DD5013D3D2390013E7A266CBC472797BDCAE8EC3CB21B16BEED12D5BDD521FB3CEF8FF4BC3BDF283D00D649BB9225CA3CAF81CEBDDC8FB53DA3ECEEBC8B1759BBB5FED33DDF13CF3BA45CBCBC37351EBD6D9876BD147440BE359A9ABDB333DCBDEBE362BDBE7E0F3E603C16BD3AE6A03DAB42DFBD30BA703EA0EB29BEB86A543E6C1329BCBFA556BC87D6A1BDA2501E3C2CB4C2BD246983BED3A6FF3B4000D73C257BF23D38771BBD6F597D3E1924AEBD2F91923D2136153E7D2A87BD1B5FD03CA4391CBDB518D73DF7C1D13D466382BDB45826BEC541D83C838EA9BD57539CBD1BBFF63C83EC043E5A4CE2B833E011BC2C31A73DB350CD3C7F30EABDBB88F23C4848D13DF4FB4B3DE6E18F3D2BF5B5BD5BF9833D4BB335BDFB3B54BCCB98823E45FE8C3DE255F73C13B36ABC88EE0ABE3B4C7ABC5A90083BA6533DBD82D910BE1308833DE414A23CF6C5053D83BEE0BC5A6773BC4F3308BC3BD4493E320665BD8EEB133D17786B3D535DC3BD8D7B603DCAFDF13C872B0B3CFACB4E3E1897943D5BB4A43D1099583A3B21A53BAF59D1BCC3D491BC0E05273DCB8429BB836D183EB34E3CBE2D7B91BD3113813E7A5ECABD1056323DFB692B3E337B4C3D28AB373E14A1403E450F0DBE7795F43D889EF33D45A7C6BBA2DC9F3DBFC15D3B83A74F3D75F71D3E222CF7BB543A193DEBC81ABD4262C13D9210B1BD4B97D63C72E1D4BD48FE843B7BE360BD78BC6E3D402EE63D2B2D3ABEFFA9693BFE040C3E68E404BDDFA3CC3D9B1A26BDF7117CBD2FDF59BDF77EA2BD8CE2B7BD8233223EFE5E153D22B4AA3C367346BE800E64BCCB87D13D391B053ED3028EBD8FE3CB3B35EB863DB35AACBD4832E73D5B6E9A3D7F8E43BDE1FDC9BBB66211BD3F53723D3375E7BD917C843E9D76823DBAD5173D0F8CC33DDAA491BA7FBE083DCEC4843DD14FC6BC45545CBD43F90C3E934C84BD65966A3D65715FBE7A2571BC22F9993D0C6B0BBEFBEBAEBD0B5A81BD3398113C0F90A2BC1D4B13BEFB0803BEDE2B98BDB3A8B6BDC3BE083E08335F3EAF25FDBC927E97BD2B30BDBD1DE4543D183C953D7AD6283C3CDBC03C35AEAEBCCF3DF13D698703BEF380A839F7F01EBD7A96083C6B7BA9392DECA63DC15A9BBD5D19063EFD229C3DED2FC13C9D60E7BC2F940FBD6B1F8C3DCA7B0DBE8A482A3BC35954BD13757F3CB35C243CE0E613BDA88270BE8FB2E43DE3CC10BE13188B3DA1422B3E38D5FCBDC70B7ABD30F47DBC1232D9BC58D7B13D6C1B883E26B9A7BD8F2A43BEFB40283EBB1328BE807C93BD2A64EE3C6D3FAE3D4D6070BB9068243DFB339D3D2A913EBD4FADFC3DFEB2193EB168083E3D85EF3D08DE77BEE33EAE3D42B455BC6030D03CE743CBBD9E550E3ED9F2073ED00854BD227AD9BD538918BE970F083DC76AD23DE7CDBE3DD3A81DBE2BC9943DE7137A3D1B6CDC3D43CF19BEF081D83D50F6E7BCB3BAD1BCA728E6BDC7C0913DA194963D96032FBE7FD1233D"> : tensor<768xf32> to memref<768xf32>
    %57 = loop.constant dense<"0x554EEE3B785AFA3DAE05B03C7876DC3B7121953DD06F65BD6A2E18BEF3FB8BBC2FF7A0BC8BE681BD2AB8C23CDD0E153EE6DB483D232A2FBCD73B223D3FC0573DDB9129BDA8DE653D01FF9A3EE12C2D3C1C3DBE3D556DF3BCB6DDA9BCFD1C733A82A26E3EA5B359BD407781BDB7B85D3ED5CC8EBD916D99BD4A5DCE3C5A34C9BD2BAFDEBD463E363EAFB0ABBDD6B5A9BC386EC13DE60B2E3DC5CA1EBD37F32ABD8846DE3DB153A0BD1F5DCF3CAF489BBDB790413D83BB813EBBD03DBD43180BBD45631FBE7A27B13DCDF3ECBD6D93AC3C05D1543EDC922FBB155E023EA6A127BD57DBCCBD74B81DBEDC45A8BC2A1986BD55D8933EEEF593BDD777DC3C090EC6BBF574E63DFD3F463DB3D44ABDA17681BEF02FB9BDB3750B3E02D4BEBC7DAE703DCAD4503D3D251B3DFB97883DF9DD0CBD62B3F0BC53341CBB6766473E073E43BDDF825FBCB5E5893D7D83E9BD6F62F1BC4FB8E1BBF785493C8FAABCBD2732A2BD379C353E9DD2F9BDCE7A38BEA743AE3DE6A5AC3D1A3E653D8A3DE43C3E33AEBDA35028BDE98803BC1296033EDF0ED73D5B029DBB5F8E1D3DB413C73C6ED9853D9E4E02BE9CB548BE62F5A53D57E353BE22EF4EBD5BC723BEAF20C2BD6FB555BCF7D9433E4325FABB6BAA25BE67CB473EBD733EBD1761E73CD79410BED069E9BD67154F3DD025003EA2D2FE3DA5369CBD20036A3C49AAC53B05BF60BEDB2FA2BDDBC9EABD127599BDEFBDF1BC38D01E3CDDE106BE6C978FBD0C5B223E33CBCE3CAEC500BE939AA93D22EFCCBD30D41ABC972D14BE2A7B94BD00C761BD3290C83D92517CBD6AA6443DE3EBA33D28A9303E169C433D8354CEBEDF1D0E3E6E96C33BDD89E1BC061E103D2246033EF7CB803D83AF493D210B2DBC802A833DBBAE02BBA91100BE901FE03CDAFBCDBDF8BC31BE2549F0BCA3D0833D5B2F00BEA6BCB6BD36F509BDA7CEAEBC7DA491BD0F34C93DC2588A3C98D5863DEB467F3E8D75AF3D3BFD06BD6296D93D272498B9328C6A3DC1712C3CE035103CE0E557BD73D4AD3D54519E3DF77E5B3DCE7AA7BCA28D083EE88807BED2CCE9BD37185A3DC57363BC26750BBE9BE5C3BD4E3D44BE62C7523E628AE03DBBA1EABCD34D133EAF86373DF1EBC13CCAB4BC3A4C6986BD75C6D43D0BF4F0BD995A903DAB1F2ABE5B54B2BC9CB09F3D27A31BBE47DE203DFB1216BD6CF3223D603150BEA7132DBEA3C5E83CC863243E4FE110BED122313DC32724BCA837403ECF2A823DC4B1453D2C4633BD50094A3E8B2942BDE26875BEC53CEC3D8B0602BC9F2B313D050FA8BD674E243C81703CBD93CA78BD77B216BD60916EBD4F4000BEED1C12BE538B8BBE45508F3EA8C1E6BD44483FBD256AD13C47C7E33BA372D7BAB325023EA93401BB90CE0D3C591C9BBB1FA783BD76A59A3D67DBD23CAA67733DBCD6263DBB79D93AB3DB8B3D8AE8D53D58D3D1BDC239A93DB7E9F03BBB239FBD9A6A47BDEB7447BDC759AABDCC790B3E46CBA8BD6A95B23C30AA9BBD8A9A34BD93EF12BDF5C2EABDE73C533D93FDF2BCB185163DE735AB3D9225763D7A7C833C83E2D43CDBE3FEBDCF3278BE1F94B2BC765A8C3DE212153E55027E3D58728F3D6FA65FBD07E2CABD4B0F433E7FAAACBDB74EAC3C4BD96FBD9BC13EBD4411183E6735F63D3312E83D5F8167BE4B0A8DBC52CDDABA5AD26C3DBFB6D03DD0FC9A3DE3875E3E53EA373D4259F4BD6B0AE6BC50E2CDBA70C0D03D7A674C3C9825F1BB7FC3FC3B88AD013E8812023E8B94C33D0367023E9C13163E2FFB72BB1A4A633C5D2DF13D7A7E673DA013F5BB18217B3C28DCC33DA85703BEF095FDBB56AA88BC50C089BE7F5B9EBD6BFE2BBCCC3095BDAA0C0D3E3DBA7A3DB19B07BDA800EEBC8F60123DA9F7203D6777FBBDC35A63BDB719D2BDFF0D643EE36B3E3EF71DA0BD9EA18C3DCF36023D3AAAE73D612934BD310480BDA53B51BE1E8FAC3C3B830BBD300197BC29881FBEB5B4323E28D68DBD1FBD0D3DAD4757BDE692C6BBD0CA713DF48AC6BDD9C0873D3534033E8BB70BBDA18C8EBDBF652C3EDBE2B13D08416F3C9FAA5CBC1AB9D33C66EA05BEDA69EA3C7FDD293E8747DB3DF8ED883E1B5DFF3DE386A73B4488823B63A2F9BD5438B9BD7AC55EBD273F833DF12112BDF782983DA0BB2D3D6DC1D0BD4A53703DBFC5F33C578A1FBDB28A48BD7DEA97BD03156B3D7B5655BE5695B83C121A8CBDE574953B0429073DABCE25BD03C4343E8220043E7B8825BE27BD813B75D5CC3D364E0DBEFFA9293DCF3E94BDFB8F35BC5214FFBD65414E3B7831FC3DF672083E541EAF3D2FA7343E275ED43CB9221EBE8E3D193D99430E3E206F403DDC84043DE1261EBB398CC9BD38212E3C07461CBECF4BD2BD53B8CC3DDF1C33BC9DABCB3D8B70313C5B0C2CBE81BCB6BD9FBB80BE4103C8BD627CB6BC5F02C83D5674A9BDBBD5693D568BABBD2FBA35BEE0AF023D25ADDC3D7588DD3B2FE664BD5FDD05BE6B14F53C2067E53CE9CC41BD45E8573E65A296BDF2A1473E3F19A53CB7E2F83D8BC7B83DBABF9DBECA7365BD077384BC3E3B2D3C780D8A3C8B7E97BC07C8183DF5A659BE09138CBD4B99773DBFD95B3D014C3EBDC940C1BD0284E9BDA10638BE886AF9BDB2091CBE7AC84ABD0E0B44BE50143F3D869D2DBEC8555F3DEF45F4BDDD1D32BD5B51FDBDEF83893D9C7210BE8FEEA83CDC47A43B5BBD9D3CD3B4D53D3712AABD468A933DFCF680BD3733883D60D7583C1144BF3D5140983D843FCBBDFB35013C3F407EBDD900343C2C443F3D6597113DDF9D163E8D0ADF3D788D1A3D7723973D90D45F3E3F42863DEA04B0BCA37CCCBD17149FBAD29A3D3D9205E7BC3FDC983ECAC0EABD9DA9F23D9F37A63BE3490EBD309AEC3CF321703A1BA2B9BC9579083DC8EA0A3C17A84E3DBF5D4B3DBF5EC2BD4881DF3D901CAF3D7ED348BDB2275ABEFBD53D3E3D62B5BDBFE26CBC01B52BBDBADDD73D694146BE0777C1BDA1F8323EC80BE4BD63D0053DAB26C7BD2DA96FBDCB05AABD20BCAEBC2B51333E2DA15CBE6BFCFBBB053D523E2F5B263D392C243E7143243EF84F09BE822285BD5759A8BD533FA9BDC8F5723DA0D6FF3D92030E3E37D1813EF25AF6BC875A0DBEA705FF3CDB19AB3C335F4B3DEF834ABEBC8CC5BD9DEE613D6B04F33C76EF3C3E8B41D9BDFCD0AE3C97C66FBC20AD573C7536CCBDB528C33D1F2BBC3C58B5F13C77BE323C67E19A3D4EE908BE4B86043E7E7E98BC33781DBEFEBC3CBEAA1D03BEA6AEA13D965B063D4874ED3D2B56153DF4CEB23D1F09293DE339683DB02D393EDAB5733D6B52B2BD02C4873D44EE9C3DB0080A3E3F72ACBB4CE807BE3C4F10BD772A5A3BD0E5EDBD277BABBDA7381CBD34C0BABC1346CCBD30F7DE3C4A5856BC630FAABC5140B2BD05D550BBFB08BB3D6415B3BC16D1333EC5678F3CAFA5AF3DC78442BDFDB0D8BC78D54ABD6B3C0D3E6B39863DAF9F12BCC278E93D6A18EC3BB5F0113D9F062C3CC39A43BC95F3053E37621CBC23AB793CACBD8C3DFF00063C311A27BE705A98BC9B60763D4D3726BE2FD7973DA707F5BCA50A73BBC0F0323CDE4814BDDFC515BE5C742EBE022432BD5FAB4D3DA9DC3EBC18A7603DCB237EBC2863413E07FDA1BCA3A32CBE5269393D958E28BEA28CC13D220AEFBDE770013CFD2E6EBD870A9D3D8985A73D1B6913BE00BD60BD4B1F8B3DC858533DFC32153E497803BE57813CBD32367D3DB5DB87BD7E0894BD3D53E73C272F163E7A9624BE7F68D8BC43960CBE8535E23DCE472DBE7524873C6C2FA7BCE2367BBD4547D43C8827C23D04BF1EBDFA6A9BBD4BBE5FBCA320883D5334CA3D2B33793C80824F3D1041E23AFD6A283EF34AB5BA70195DBECFA1CF3D84064CBD25A681BD6DB6E83DD5B88A3CD4138A3D2D293A3C99218D3EABDEB83DF238EF3DD598913D89FF37BC4D5EF73D5367593D036CD6BC3704E3BCAA8C10BE50FEB0BDCA38B0BDDB9CFEBD01A9813D029F0EBCBDF155BE67C4CCBC7B50DDBD135C9BBDD30C283D050C6EBE25D8C03C5213B23DFEDAADBDD2CCEFBD8FC3443C83D303BE435C6CBD72E30F3DE300F8BD68E35DBD6FE5AEBD18A287BDD2EC5F3DF7FDD6BC2435A93DD812D8BDA11B01BCB2A1EC3C576DF53D8FAA76BD2DE369BC9355B33C4E0626BEF569CFBDF731C83D031629BD55AA7A3B372F933D1DBEA4BD25EDF33D3BF09BBC2A9F8C3D6A92563EC54FC33B0B0D9BBE118AB3BD7095223EB1B44BBD93FB9F3DFA8E503CF5953CBED72C5C3C7DDB8A3A7D0F4D3DD24D863E4F79B7BD3BA9303C9055EB3CB6C4C7BD5642C1BC5D27443DC6A719BE518E09BE15BA163D5B36263DB3BAC03C"> : tensor<768xf32> to memref<768xf32>
    %58 = loop.constant dense<"0xFB5118BD67AB0BBEDB24473D6D9F34BDF379153CD5EDE43D02BCB23D76B62CBED2E819BD4D00CB3D12E506BD9D53453E8E4BB03D12DE443D562588BD004E663DB98618BED208083DCB7577BD8730D6BD97B3073D1008ECBD8B690D3E98B6AD3D91280C3E8FE67BBD8FF083BD4B437E3D85BFFCBD738D183E5222553DF98E833C45893D3E787B4FBEBFFE9D3D523E4A3D9D7F0FBD763CB4BD9B3F3ABE3BD876BDDBB6023D3A51923C1335B9BC4F08E03A5B3BC1BDC82ACC3DB0AD54BD39C0C33D04DA9C3DBFF6F3BDAAF9B03D874894BC61839D3CECC2453D334228BD4B5206BDA55F253CE6E41EBCA3738D3CF01A79BD1F7BA5BD983FCEBCCBE9383CBFC37A3D81E9CB3CC9AE943D738E10BB8F09763BD8A95ABE6AC0773D461CCA3C72FED43C4A0AD93D77AFD63CAA81E0BDBA9C543D2B6856BE37E3F1BC0FC11C3D0E1F4B3EDE0E43BE806C893D8716513EF75D953D470697BDBEC28D3D3F455B3CC8C07F3C1C87BCBA5FABA83BBDD61EBDB2C854BE8A1E72BC450A993DFE7FB03D1BA9C3BD482E16BE9F72EE3DB352793C6B17B8BBAB139D3D76AEB6BD30540ABD72F8F93BC8D3E13D01AB2A3DEFCD6BBD9F6D4C3D2BA1B6BD29522C3B789A5EBDFF56213EB76C92BD735783BD7CF509BE197C1B3C63412D3E3EDE803DAFDE343DF3AEF7BDD6A0463B7E8DC43DF80413BC2F5269BD586120BD4037E7BD7356E73D5974863D0737A0BDA0930DBC5FBAFEBCA77F6DBC5205203D14F9BF3DA77AF9BCC8CCA1BCA8A355BCAA18AC3D3F545A3D8D55DEBCFBE1813DF05497BC4734103EE92F0B3D9D270FBEE7CE13BEF0DAD0BDBFA111BED7BC3F3DFD9DA0BD077A1ABDCE1843BD683605BD22D5C43D26F9843D771277BD826B3F3DD45FAE3C2FB7843E03D576BD216D81BE9F20283DD0758F3D8D1898BD910808BEE5B1A2BDC5A7A33D206B823DA5A2713DD1A38B3D1102CABD988BD63D1BBE043DF57D263EEA18BA3D2B1D8DBE8C7F923D4FB3D93D9D8ADCBDB343C9BDE67BC93CEA3B2B3E08D1F03BF01112BDEF0A823E6AC11CBE9C77A5BD62CA06BD810485BD73BA783E277C52BEB792543DC8E35C3D68EF09BED5B3EF3C8FAEC0BDD6A83BBD18507BBC57E1033D4B2EBF3DB79158BCF03A403DC3EA80BE0F037BBD85ED59BD3089D0BD3CA3CBBCA74F003C7F698BBD9F3F953D61E5AB3CD7830FBE9805953DC4D0103DBB22143E533BBFBDC2B9DABDA5A29A3D6013893D40E3943D084B2A3EBA2B6A3D0BDBB33CCAAEDDBDABE6643D032C2DBE3559443CFB4FF7BCCE9C323ED7193FBED73FF03DB096D43DCEA201BE30B9223E81BCA1BD5FFAC6BDD834693D3741AC3DBEC4B43D6014063EA727D63B75EEF0BD471C8F3D6F16E7BC7572D63C6394013EF80C7ABDF77281BDBC68C03BFF54B8BC4EA3B33D5235653D325BD4BBCD787DBD13DA2FBC2B1D4D3D2A7E01BEC431023E53FDD9BDC754083E87E5B2BC2CBE253E0B3CB43D7725903D554C99BD0A65BA3DF76688BB3B37AD3B4AED883C57E745BEAEB6B63C7AC1D2BDF4E6C2BD9FF1543E531FBBBD279E453DCF2FBFBD6DA672BD28AED1BD810FAD3D0A85BFBD2F5FC5BD66058ABDB744433EA76F1EBE18C606BDF092E2BC10EEB0BC9A42B23CF056543D62EC963D24608EBCCFE7E5BD5088BCBC953F553D0A4858BB2FD7EFBCEB479EBCFB8D92BC68E2473DBAFD093EBB507D3DC3992C3ED03BE43D72C4DFBC60458EBBC774EFBDBF3FFC3DCA7D2ABD0FCC14BDDD5F58BDD31DA0BD5A98C83D50A9BB3DB717E03B196EA4BD85AD0D3D39FF0DBE43BD71BCD26961BB2FB7173CABA5333C970F17BE8CCE233E1D85913C516A04BE7D2D6BBE63E6EEBDAAFC2CBCD860E6BD93A6C1BDC3E431BE9D3E273E5C4F07BD8FD6D7BCDE0CB4BC1300B23D0BDF6B3DD803CE3CEC5C23BECF939B3C2D82553C90C4EEBD74550F3E07D065BCC7F86A3D0973483E612999BCACFB37BD5DB0F63C7CC4CBBC73C3FE3C43A588BD72971B3D5F72313DD8EED53D50FF613D2F517D3D5F99B0BC271F283E756F8DBBD07B6E3E3033E3BC2B0FE13DE7A5C33D988CBBBD05E469BD981D753B1809EB3CDFE8A83DAC2E183DAF12CCBCAD0E57BE6F20E9BC4A6F5C3E0C894C3DCAE9C3BD10335CBE63E8123EB15E27BD7CC112BE04C0B1BCC0CBBABDAF03823C0D73B63CFBEF293D63DAC2BD3E3FC63D18113C3DE187BD3C1563FD3D4FF4913DAF959F3DF99442BD0674473B55293EBC7708AE3D62E08DBEA5A0CA3C138F4ABC61D8B83DF576EE3D0B9240BE5199A03DE3EFB93C8F18CD3DF87B113E819C2D3E5441343E1572FABD5D04623E7C0F253DDFA48A3CDA246A3D436640BD016F1A3ECA37E33B2A94CE3D9BC341BD5670A73DB543DCBC5781B23C37E3B33C5308613E27FC30BDA12D033EE5202DBE7CDB88BBC45CA6BCDF01293DE04574BDE6A2ADBDB88C113EF2267EBDAF4D71BD91F08F3D034D693EF1C0CB3C14258A3EABA6473B8529D03CAFCA0ABEF926C6BAECFD063EEB176C3CA23389BBBA27EB3D9FA624BDF9E3803D3A26373DF5248C3DB28302BE57DAA6BDC30355BDC72F533EF8840F3B4E6D0CBDA20A41BC867DB73DC58C88BCF33F63BD9ECD223D636393BC4FDA3D3DFD13E3BDD64B1E3E1DB3DE3C4AB1F6BD31A61F3DA253E23C831F02BD743F453CFDD62CBDFE0E973E32614EBCD879133C4F86C33D8339533DFDC701BDA871DFBBF29F553D233E3B3DFB594F3E2081CDBD2759B13C377A813A7ECB8BBD894E993D821AF33D5FA330BDAB4C363E8012F63D8F8EAF3CF548603CDC1232BC673B403E2C96313D88DD9E3DEB0D89BB9F7B01BD40077C3DC57EFA3A13B7D33CE267D03C8AD4E7BD9EB22FBD561010BE43F4C63D823FEEBDC499063D105A52BECFE7C63CA48EC33DD877B1BB7D756E3DD713A43C23F7A3BDFDD1943B022EECBDC04598BDCDB0593EA5CAE23DB387E33DDEC5C5BDFE2937BE5BC7B63C53C78D3DE38B1A3DC36230BD6F29013E0CA7B63D4FFE02BEFAA23A3D1FAEA5BD5BB8C4BDBF03393E8F93E33DEF5F403DCD16FB3CC849F7BD245007BEB648093E1F75183CBA1A73BD5DA89DBD9F562D3E7001363D6EEC273D72CA02BDB30AB83C6F07EF3D940887BDCAFA283E68FBD9BD8E84B2BC8296C43D611A9D3CBB817A3DC86578BC4778163D887B3B3D3BA2AB3CD09B72BDFDAA3ABD87ED6ABED8D3783D2D94B93DD0245CBD99B29ABD35E0383CC77BEE3DD3818E3D41D918BED74C023E8625113ED9D4973DDBCA96BD21E2CBBC1FE5D1BC9E3DB33D475E3FBD67AEE83CCE5F3C3D0D0841BD1DEC0F3EE5C7DD3D23FFDD3CDF3A7C3D015627BE4C40BFBBC48092BC4FA1F8BDD7FE8D3EB56AC43D2CA0C4BA1BBE8E3D0A6324BEA6F682BC2D05DFBDAFB3C53CC3CD1ABEAFBCBBBA467FA8BDA73CB13D206906BEDD2DEABDD041223D2FC8FABDDAC7E1BD9F5A02BE6305BFBD8BDDB1BDF85971BD844D14BE9A348EBDEAEEE2BCD82FB03DECAFB83DCB0624BDCB63773D2C31073DD37C7939E336043CDBAD593C3330823D4B684FBC2244E5BDA5859EBDD77CF93CA0ABD33DB861E73D837D64BDA4E803BCF52DB5BDA21847BCC09493BD1B29D5BDE2D0FEBC3552243DCD27213EF71981BE9421493DB7AF5F3D80438D3D85D975BC012CB2BD0EB59F3DE280F13C5717F1BD3FD8913DC9B71ABD6709A73C51D8863E52274ABD37DBE03D8BAA4EBD89BB84BDAF2E533DF9BF8B3D7EFD3B3D2241DFBD32C0193E077E12BECFDABC3DD2D1B03DE31C12BBF4A3393DD5F7D0BCE677A6BC4512EABD85565A3C4A2488BEE9B810BEEDF9D13D96088B3B2E12A2BDD49710BD9F39523DAFEDA1BE15D4D7BDF4D3033E1B3235BD7F2E123D2D317B3DBBA1F83DB37C02BC4B83223E5536D43DFC05A2BC8F578CBEC28DE7BDC776B93C50D5713D3CD705BEA81A9D3D9ACF87BC1F5EAA3C374F943D5B7A093EFD3F233DBF311ABD19B8973D2DE54C3DF6C08DBDE325ABBD53B77C3D9DD9D5BD93A01DBDE8FF9BBD508AD3BD7FD718BC3240153EB044823D8789AD3DC0D3B6BCDB30A5BD95AA62BD3729A73D13797FBC2BA0BE3C0B6C37BD588451BD9CB99D3E0B5325BE809A513D03AEFC3D1377083DA0FF783D0ED7ADBCE73EBE3BE135043EAB45E9BD3FFD9E3E8B97A9BD23B832BDBCF2833B51CC143E23CD82BD9FE56C3C7087E23DA2B490392D373B3C25285EBEAD5EC93C566FAC3DCFB2863BDEBD2BBCB5A9BEBDF26F3A3EAD071BBD2F59FCBCD57FA1BEDB4F703D573D06BE721D213E52B0F23CA32BFFBD6397F3BD48758FBC9FFA8FBB7F7129BD10B0CF3C6B7C2DBE4E371A3EE292863D4BCEBDBDC256ADBD9D262DBD"> : tensor<768xf32> to memref<768xf32>
    %59 = loop.constant dense<"0x2C91C0BD2B985D3D4ABAB43DF795D93B63796ABDBF39163EBA1F683DFA36AE3D575AE0BC3B8D06BC3A7C1BBE7467ACBD2B5E52BDBD91F2BDE3B294BDA9B842BD05C9833CA7EAB4BD8ECF3BBE7C873D3CF4C0293E79FBA3BDA87FC4BD734B253E9ABFF33DA078BA3B77F9B7BD5D5034BE74AEA6BCC32983BE767ABE3C5F9A0BBE17DA893D9C27C43DAA86E33B999220BDC56840BB05F6EFBAEFFCA13DBEC3973DBB773EBE84C41DBD4F24093E6803D6BC37B18FBDDD44553EF34E0F3ED43446BED1248DBDA0345EBD7F786D3C376A153D6CAA9EBC06C1A23C9B72603C516F943D426DD9BDA5DF7B3D55E1FA3D5205DBBDBBBCA8BD05A714BCA88D5A3D80A723BEC5945B3E969C40BC0F1D993D232857BDB3B4F9BD4D01553E1771CF3D91FFC1BD47B07F3D61D13A3EBF54B53D0ACAD83D0BD38DBDFBFC033EC584563ECACA4CBEA69B33BE1C8381BDA5DD14BD5597EF3D0FF12A3DF2D2723DFBE4A23DC56A50BC2E68023E87BD2F3C13FFE03D48EF9D3D7D2B55BD5D8296BD04051ABE4DACE53C6792A53CC878D03D374F423DABC020BC389900BEEA3A593E1FE3003EEFE681BD7B4E0CBE276AA43D66B93A3E6DDF953CB891EBBD1E0D25BDDF74AE3D24C407BE984CF3BD0CBB3B3D893522BE64390C3E3E2004BE4310ABBD758A823D5A12FF3D62E6B3BD34D248BEF33D1BBDDDAAD2BD744E8CBD4278C7BDE0CD06BD90D6F33D9EA9B53DC6FC443E13B7D83D6F30BF3D38FBF5BCC7AC31BE5294583C7B4F26BD51FB2B3D153933BD075AEDBBFBBF99BD7BB68C3D58D29F3C839022BE6E04863DA3CEA4BC37CEA43D324F3B3CFBB60A3EA73CF7BD1D771F3EFB645C3D200DA13DA386A0BD5AC3A93CF5D1E83D125594BDE5558ABCCFC7F43D97D752BCDF4C903D77C707BEBE3D003EC8B45D3D85BF89BD83661D3D823CCF3D431239BDFB0CA53D6F6B003ED457803C1476C8BD2371363B9DE763BD1AC70A3D0DFEDA3D78FE5FBD8B48A7BD7E2346BE5B6FB2BD30AD153EF24106BECDA8AC3C20779C3DE84A78BDD843363DE0B14E3E2867F53D9F60BABD77C3BE3C5CB9C53D269B913D6573593DB36D2A3DDE2E35BDF19985BD15B162BC1B0196BD9D2D883DA6AA80BD1E93C5BDE42F0E3E57CC71BEF5C066BE654D103DB54B8B3C1F8FB83DFE000FBE1A0135BD0F53A53D8310183CE3AD24BD4A56343DB05BFA3D36D08FBDDB24E6BDAF73023E9B8D5E3EF0CB03BD9F47EABDC685813D884E943E2D4A71BD5068793D25160CBC5BFE173C326F183ED45F153E2122953DFF9440BEA232FABDC19685BE670DF13BC0A0933D4F45683EF76D2CBC7DF267BCC17BBFBB8BD907BE30D6D13DCA2CAFBD7D84D8BDF4323E3D30B11ABEF7477F3D159B13BEEA59D53D72D6DABA4C39AF3D80B6B03D87E86F3DD0DD803DDA7B643D49249DBBFB8A94BD029F70BDFD6706BD345B12BE1311213DE4AC97BD52ADFA3B93A72DBE3AC41ABE31029EBDD63030BDE80253BDEF0D5FBDE03C043EA980903C2A2033BDA17B163E7BFAEA3CAEDD933EB617C1BCEA5A1A3D6D6CC53D10FD13BE8FE510BC4770B6BDCEC4843C45BB593E77A70EBDCF02823D83DB45BCBFA6003C9D467CBED58E563D755E8A3CF373DF3CCAC344BDDD76903DB117ACBC28B8C03D07935A3D4F0B873DF227ECBDBFC7043E3549763EA4AD2DBE933747BD407CD7BCFAB8FC3B9BA1B9BDA7F61B3A706506BD1ADB20BE4A5F9FBD0FF2333E28C2AABE3CACA13D8B254F3C67514BBDB3D58BBCBBE52E3DAAE74ABDAA510BBD0F26A8BCA940CA3C772ED33D4CDBC13C4BEF6ABC3B4E4C3CA548D2BD3808ED3DC7FB90BDDE54B0BD73D49ABD1694483D87139B3CDFD2E03C34E2353D1D8B69BE6F5E893DDA810FBE03B8FA3C66C790BD5729363EB5A3D4BD764B243EC739983CDB936DBDB28AD53C037FB1BD0EA12DBC07C82FBCF4F4C5BDEAFE6BBCB7DC9C3DABFFABBCB8A569BE91BF20BC2B44803D4A101ABE7756CEBD7B96303E1C6404BEC3CAFC3C325819BDBD6620BD8A2DE4BD1AA996BD6D9B303DBF1B593D73278D3D2546DFBDAB121ABE749A003EA91AC43CF3BC0ABD109C58BD96C5C1BD603B57BEAC4C02BEE28076BCA5D59CBD2A142CBE15F733B98333ACBD1B7F83BD8706B33D25552F3D9C2A93BDCD65F03D4FEC37BE9E4D3DBEEC8415BD9888933D56C016BC1508DABDFCDA2A3EDDD5543DC8A698BDD62B81BD5B5CD2BD342604BDBCA8C4BC5FA5B23C812512BDD14F1C3ED8F775BE539894BC8D4B7ABED417173EB3B1F2BB35B205BE8B2CF93CA76A24BD3FE6E53D8B75003E9FB820BCE6F52CBD8F654C3D9BDC3BBC68046B3CB036723A8548CEBCFA8B953DC2566B3E9F780BBEFF08983D85FD623D30D5B8BD637C09BE0897E5BD8380EFBCDDA261BE531A88BD97BFC1BD4B92433CEBDA4F3D7E43BE3B497743BE18CEFFBD1D69AF3C2D6C523EDBBC97BD255DCF3DA06647BDE0FAF83D3EA124BE058F5DBC18C700BDB15A4CBE9D66E9BD5034E1BD19DEA9BDEBB594BD55B4D13DDA0F83BE371E53BDBB922E3C2C0C1D3D6702E0BC0AEA043EB035EFBDFDC55EBDA31E8D3C4BCC003EEB6C7C3D3057023E150D49BD8E5539BDEB8E02BE7120A33D3FBCE5BCC865DE3D474CEC3C7AEE4B3D4BFBD93DF5EA053E3B90BB3CC79214BED8A05BBD3C3B2C3E784336BCF778F0BD1786393E1BF829BC8087B13BDC58413ED06972BD2DFCA93CF421943D9F84D2BD7D70ED3D5F6F09BE52F8E03D22EDEFBC3A5F143E4E5C1B3C2B898DBD170AAA3DFD892E3D9B8E363EA4710FBEA3CA2DBD430C873CCB8893BCF262E1BCCFD7F5BD1BDB603C6D544DBD48F4FB3BFD4B0C3D02385A3C4732A93DD7C2763DB7D8993D94EB9D3D078DD23C9B837DBD2F952F3EB706603DD285F73DE99D47BEE2FD4BBD7DE465BD5BFAD338CBDEDDBDC50FB7BD1354663D04698E3CD884A73DF86A79BDCA626F3D781768BDA8B03EBD4964C43D58BC8F3DC4C4C5BBD3C5DC3CB16C2EBCD30FC53DE805D83D1A5C713EDFFB05BE53E8EB3DCBA376BD921079BDE7946A3D33C2E43D48D1193D13A4DDBDA7E6453C37844DBC137F06BE1CB01ABD1804CEBDE2B445BD2B9EB03DE64F40BC3A83683D388EF7BD82F1FC3CB29B5EBCB00DECBD216485BD2D39543D5760E1BC2F9701BE0D29D43C8F6FEDBD2791433E7902853CC2B420BEF045023E084BFBBC2F87143CCE3694BDD597CFBDEEFBA13CF4B1C03D404876BD2F32E0BD7F62173C9B1CD13D230AC8BBC21A4DBCA36EFFBD9C832F3E1016F6BDEB6C0F3E18540A3E371341BD335E9FBDE3DC07BD0AB32D3EA7B18B3D4939943D47084F3E5755CEBD8F66C23C4FE63ABDD3A086BDA1DB0EBBB238083EF62B47BC86A71C3DA34444BD81461ABD6F9EAA3D20B226BEA4D0173D6892C53DFAD5E63DAA0CC2BD2BDB1D3E05F3023DFD04783DB40092BC7294BBBD673E9F3C104142BEBA636F3E0353A93DA3C91DBC21E3023D4F6C273D4D9D6EBEDD3D293D75882ABD0D341A3CBF7C0FBDB8EEB13D27D9AB3CFD00333DC91CBF3D079E72BDDA52043EB07080BE8D8B143BF8D94EBD40949F3D2F3B89BD0A81D33D0FE2A9BDB870AFBDC9FF283EC75270BD38D9103EBC3C3BBD569892BD7D083ABEDFD2C5BD5AE32CBD5C68B3BD9FAA2BBEA5F6533DD522F13DE06B0BBE87250B3E9D8841BEC2FA10BC9DC0FF3D489FB0BBCD8A78B925E9093E61619FBD3B0F4ABDFAF8E33D82FB963C137F61BD418AC83DC0E5C5BD34F90E3D0DE0CA3B87BBC53DAD540EBE4A5C5EBD041603BC0D64A23D2F0410BEA965A23CDF45363D08FB0CBEB86CCF3C9A73F33DD37CBE3D143A07BE377E5FBC571728BE3942243D33A43B3EBD8B453DDFE2753DEA52693D6DA57F3D9BCBDFBC9778F83D2F5C08BE2FFCD73DD18CAF3D398123BECABA843CB86B663D5DDA00BEEE42CC3D2FC9B6BD0F63E03D65AFB73D933FFABB76D9113DBF0299BD5F994ABEF6CEB83C7748263E9D019D3D04B7243E6A4219BEB4528FBCE22E7DBD9E8C953DDAE457BD83E18D3D4FFE753DD7BB8ABE2BC703BD23E552BDB2FDD1BDDD8FA13C3B88473D82D3E13CC3ADB9BD0E172BBCCACE5A3E9AD223BCB5683BBD2EF51CBD5506D43D1C8B943C1F7902BDBFBCDD3A6F64803D4DB06B3C62F2D83DCB3FF1BD6C22AEBD47114A3D618B063E1FC2B6BBBAC1953D4B3CA9BD3F1204BEBBB6AC3E7B8C97BE48C6FDBD9D7654BD6FEA10BED57B8FBD9CF003BAB75E15BD4473883D0F8F63BD58F9503DF39A89BD9FA43B3EA3B08BBC379162BDB71ABA3DF34604BB4DA00EBAEBBD8FBD5004033D1A1894BA735C2DBE7A20273EC2EA803DEBA76CBD9BD30BBE"> : tensor<768xf32> to memref<768xf32>
    %60 = loop.constant dense<"0x68757B3F15984D3FEAF06B3FCEC6663F94F0823FB9CC953FFED2753F9085803F974F633FCB158F3FA116553FD650683F9556793F1B34973F53167F3F113F553FA36F633FC55D823F615F743F14908D3F0FCA933FEA34993FE8CF563F4640893F9BB0963F273B7D3F5C765B3F7DD6853F09766B3FFDD6893FA2EB8A3F8E5F843F694D663FCCF1833F0EC1853FCCF6653F18A38E3FDE61633F80188D3F5C558D3F6708913F4E617F3F2D5F6C3FC949823FD833913F6D655F3FF7288A3F3166863F36FE7C3FAFDD933F12E0723F8E287F3F4E47653F7B7F5B3F90C9923FC70A8B3F1779863F96C8763F1C596E3FFDCB783F146F7F3F24368D3F2B93793F41F85E3FAF24633F6A07883F6D9C773FED51903FE50C703FBC095F3FD75E7B3F23FA803F3E6B6C3FF019653F2361863FA107883F40AB693FB968483FE5DC713F4C886C3FBF35703FD2D64E3FBB507E3FB824903F13268E3FC4EE673F64597B3F8D227B3F53B88C3F5C497E3F5E955F3F6D1A903FC242993F10FB833FE743863FFE9B823F61EF8E3F7E7E8C3F529D8B3FA5F3873F04B3953FEF199E3FD8496D3F70C6673F086C773FC08A893F8E839B3F6852633FD42D5F3FDE7F753F02E3A33F5A1F763F3509883F6D336C3F6C37853FF06B7F3F40C38C3FAC39763F8EF8A03FEB63733FDA524F3F716B7E3F80548F3F506E953F93B66E3F36F5673F0E158B3FEFAC853FCAD2683F8D68663F83537B3FAC037B3F1F8B803F3AD56E3F79A3893FFE4B863FED5C743FB075823F2D29883F14DB553FB2376B3FAC478D3F28E9753F58879D3FD5B4803F5FFC893FCC46833F41557F3F10D4833F7158653FBA13793F7811933FE7B2923FDE28913F81D0693F31287C3F5A2C683F7AF3753F011F7E3F0DE88B3F55D55E3F3039713F2FC4943F1911843F00078A3F9F1C6C3F02856E3FD4CB8D3F8F5A7A3F2162633F1CF6653F0B21673F92A3913FF64D8C3F4369873FF6A0573F27BE673F36A9913F8D56643F20207F3F17ED813F43A7803FF892743F5619583FD2B3713F8CE27A3F70AA6C3F31A4643F8ABE6F3FF60E9C3F3E6F803F1A145E3F5CF06D3FB2C38B3F1E3B8B3FFF9B733FF089793F6D9A5D3F2DE8813FC84D833F72AC8B3FB24F883F57D98A3F6877873F998E6A3F8E01883F0895873F1036653F59BA723F8CF26C3FCE0E833FD36A813F1599673F1D03773FCB5E603FE0C5883FA6B7683F67156F3F94B26F3F74A9653F36B1883F89F5873F221D683F1FA8723F6A9C753FECF77B3F051C623FE024A23F07E3513F565A943F81C35F3FAB1A693F2936823F3C0A6D3FD3155E3F03E16B3FF4BE853FA3FE7D3FE4864A3FAA17773FBA638F3F7807753F5F3D6E3F82C5833FBB846B3F109A873FE049893FF42F883FB1407A3F87FF893FDC508B3F2285953F3A606A3F1C7B5D3F2EB6923F2801813F57F0513F035C853F6F919D3FCE83673F153A823F194A7D3F8800863F1D47803FF79B863FAB955E3F851F783F3DBC823F1C8F833F2ECF8C3FFE94553FBBFE5E3FD2C4933FCF69903FA14E603F8AB9843FE02F7E3FE8D8453FD62F703F6EBD863F593A773F01A06B3FE31C7F3F60493C3F10D0733F6B865E3FE6BD823FDE21993FD3CB813F8E22433FC8CE563F3442783FE72D7A3FE042803F079C843FD80D993FB723713F3FED843F642E7C3FC96C633FA3779B3F2AE4863FF5EE713F862A743F9F995C3F2DA17A3F41516A3F77EC9E3F24259A3F63915E3F287B863F54808A3F0AD7693F11C1863F57BF723F2101833FDD038F3F112B7F3FE9758C3F5E5C703FA94B883F4F578C3FCC0C7A3FB2F4763FEC24803F69F8813F5AF9813FD4BC723F88BC963F92D7753F97E6743FE030563FC940703F067C4F3FC8BD6F3F0D1A603F29895F3FF4EE6F3FB651863F2F168C3FC257733F6E8B673F9BD3633FF119903F20CA973FC7CF6F3F69D3753FC1DD923FA7EA8D3F1FCA7A3F7D8D783FC9D87D3F667D4F3FD0568E3FD2366D3FB0AF933F5B12863F223B943F24366A3F44D5713F20EE483F4E86923F19BF5A3F0766973F145B6A3FF2E9843F99738D3F49E1833F87D6503FB9EA843F4E1E8D3FDDA9913F42DD823F62EA523F39FB763F1BEE603F2987603FF8DD473FC7997C3F7C358E3F69896C3F086C963FD6019D3F6E83833F0320713F24938E3F8B23883F64B86A3FB99D673FE13E783F647C773F5984973F57788A3F506D823F1FEF8F3F44C5953FC187883FF66A6E3F18106D3FD509633FC7A4773FD34C7E3FF82C8C3F2437863F2393823FF632813FEA44713FBED86F3FFBE0623FB1FD863F8292813FB206793FC40F6E3F5DCB883FC040743F93CC943FBE288A3FC953823F166A6C3FF326803F655C793FBC9B563F854D803F00B28E3FB83B6A3F8BDE823FFC096D3FEE4F763F2C55653F4A8D9A3FB9358C3F6535673F2F8D823F328B683F98C2763FD315823F9F71633FB0D35F3FA242733F8A36643F90DF793F9249853F869C7D3FD650853F7DB9693FBCD86D3F1BCF583FF01E853FA69D8B3FD28D783F76FF873FF8D2943FCEF3893F5D507F3FBEBC713FD576943FFDD25A3F7344893F7221923F28D06B3F0FFB703FDBF4A33F06846F3FBD627A3FBFB4803F6391943F5681823FD0FF853F8897653F940B993FC79D7B3F62F9733FB97B543F22536E3F54CF893FDF27853FED785E3FDC23683F7AA24C3FC53E713F1FEB803FAAAB603FCF6C813F13A07E3FD9F89A3F0BCC473F7997793FA7D5623FFD9E813F1D93823F0D86863F1968823F3291393FD8BE7B3FA3976B3FE8D5743FD3457F3F2D669B3F5230843FEDA9623F66BE793F9666923FD9F0913F8AB14B3F6231823FA7FE853FC05D903F8CB7853F3666923F6A8A863FA60D763FFFE7823F4A7D833F8E6A823F01AA803F4BEA743F4395603FA98C853F42705F3F7F45843FDFAC683F13AC8F3FBBFC4C3F6F4D7F3F3D11733F402C5F3FA9928A3FFEB17F3F410E773FF4C17D3FDD827C3F0F22823FDDE5763F9C48A23FF6FE963FCB24863F4988863F41D8863F83F1873F646B623F97CF803F667A643F3446723FF540633F0389953FB006863FC32A873FDC357B3F5857763FB0E0823F4BEB833F244A853F7954843F699F873F238E803FA31A883F6C816F3F0527823F73C2963FE8C6943F04BD843F56A3693F5F3D813F351C883F89AD893FFE1E823F01498E3FC2F1883F652D833FC5CD893F08BB783F6459733F0FC7813FA6FA823F75C48C3F28EF713F61545B3F23F8773F01E45B3F31D0713F8D367D3F18BC853FB364723F3991823FB5508B3F3ED1843F6E0D843FED27773F39878C3FC05F773F7DFE863FC63A913FA394913F33CE843FD9FF853F0B819D3F9DE87F3F1A2D8B3F8ADF4E3F60418E3F6C417A3FD3BD693F6829583F2B97833FBCE98D3F5680893F1593863F91628B3F76998D3F831B743F6AF1863FAF298F3FA12D4D3F343B493F9F8A803F3449763F6D097A3FBAB48A3FF6F2853F67B0763F5D73853FDDCC933F035A7F3FAC47623FC81F643F04D7893F62B9973F18F16C3F3E716A3FB931833F04F47D3FBC2C563F9226953F2EE7923F3972833F62DD863F6E11653F2098923FBADF7E3FD859743F2A7F7E3F7B75763F24E68A3F0FCE873F523E6B3F9E9BA63F9E79883FCEA57C3FBCE7723FCFA06B3F585A8C3F920D893FE24F653F9078773F8B20913F582B7E3FD605833F3A6D5F3FD27E523F73FF763FBA15833F328E8C3FCF4B723F8CD1693F7842983F3D19853F1D2F733F5FF58E3FE973873F3261723F08E43F3F9E78603FE120703F26767F3FF7C9673FDDD5903FDAF87C3F5005613FA9C77F3F66C7843F9CE66E3F304D853FC2D5803FAAC4693FC56E7F3FE9EB6E3FE7C5763F9B447E3F9EF95C3F1FF6853FCFEB873F72BF633FF986933FD489713F2D4F7C3F9A1D6C3F6851753F0D28773F2FBF653FEB777A3F9EF6743F6B338B3FC5497E3F0C0A7B3FD7E8643FEA5C953F7E59813F5CBF813FDA81923F160F733FD747813F1E3B843F48886E3FCC268E3F4D3F963FECE26A3FC723803F2513853F9D0D813F5B467D3FB7328B3FD0926B3F26AD7A3F8CA88D3FAB81723FDA02803F7DC8633F38C6583F7E6F693F62098D3F5C465A3F3A39843FDC8E8B3F5A3E543FBD64843F824C773FBB26793FE2B9813F010D763F38AE893FA0B4643F6B155C3F7CFF873F9396A23FD496713F4C4A913FFEB3693F9EA9823F5C208B3FF484823F4CB57E3FA43C6F3F249E713FD83A5A3FFE794F3F377C863FFBCA6C3F4D07803FEB72783F07AB883F6966753FFDD4683FCC31673F5EDD983F1ACE703F9F0B813F9113863F46DD833F"> : tensor<768xf32> to memref<768xf32>
    %61 = loop.constant dense<"0x6A962CBE622C23BE1DF7F3BD25EC793C600DD23BE15619BDAB38153E430D41BD158464BDDFC8CCBD038490BD502175BEF3240CBD9746AABDB01A473C6AF7FF3C51C1403EFF61423EB774233E77ADE6BD7A2D87BB5D0A94BBDB7A17BE353FA93D2235573D479C093E8BBDA43D9B97D63CB710003E92CB1A3E2D29A8BDF42616BDCB5C4EBE6BB6403D05CB463DBAC7483D60FB113D3BC89E3CBED0323EEB7BB7BC4FE6C43CB6AE99BCBBF5A43D1D68D1BBB79DB93D65CF60BE0FAEED3C97E2F4BD6954B2BD3AD080BD21650DBE9A6BE83CE8B22DBE4126CABD0295F13C3A799D3E5E4C073E4289293DD3A8163D1293023DAA781A3E67F6293E35C7A63DDB3E0A3C317505BD0F00E0BD13813DBEABF1C9BD7311D73D44A04A3DC163913D3B808B3CF73841BEAE51173E252B7CBEC89AA83D4FE115BE940A0F3DB89CDFBC9015F93DFB38F3BD58B96BBD50E0873D47BFB83D5B04333CE3FECE3D8D77D93CE7CCC7BC2672013CFB358E3DAFB94B3E8DD3DF3D0E4D34BD6554AF3D85F9BFBCAFA0C5BD0BC090BEFB74F1BB8380923DFFCCFA3D88A9B03DA4D0213D6ABEA23BEBD322BE4FD8C0BD7AAD603DA7AEA5BCCD4BF6BDB128ACBDB760AE3D52956EBEDFBB513C748802BE8F4DA83D3CBC0BBEF2FA703C8F471ABDCA94B93D1085D33C5FF6783D88EA6E3BDAEBABBCB9494ABDCC4D40BB4D546F3D4F1124BD8B1567BDBA3C6C3C0F8E4A3C6BBFE7BDF28F423E682DB2BC2F0652BE4C3F02BEE8C4A5BB5F0ABF3D3C2B35BDFFB08B3C232619BD005F493E0144223E77CB8C3D63112F3C21DF1BBD34AE80BDB0F9E7BB57E1EBBD6D6A183DAB0BF2BC171A86BC134B93BBC4D03FBD7C2322BDD01B0C3EEB272B3E00C004BED4B02C3DE7AB273D8BAD29BD7FF110BEE6893F3E3018BBBC7DE095BD40741ABEB0DFE93BAF86083ED024EBBD6BD9F2BDBB5E683D84E81C3EC21C8D3D5B69573DBABEB23C3DB76ABD24EC493E340C3DBDB65DC8BC2553D53CAD0237BE233BE1BDD843DB3D3CF2183C2FB4F8BDAF09CDBB5537EABC043E833E1342A7BD1347DBBDC54169BCBA676DBD3AEB4EBC93455F3DDA9419BD34393A3E63A7263E35AE88BE4516F73DD0F8933DE03BF63DB81EAFBD4845BF3D52F3433D3CB9943D787D793C1BF288BDAA6A8BBDD0240D3D02CF143D4FD8DFBD702F93BC8F14233E04D5A83CA354553D10F857BC776A90BCC5B6C0BD9004C1BD966F9EBD6B60803B9F4E183D6029B13D79591F3D103DF23D0081153E44FCA43CB3775DBB95BEEABD4858003E978BFE3C3220B0BB64A1A7BC898C453D372D1F3EA4660EBD0A8A57BEE7D6983D1DD75CBCD5E31F3DC75E73BCB9042F3DA363153E5A2D163E51FF8F3EB69724BC9906CB3DFAD9E13D5F9FB13C5A67D73B8BFE163E4D53F03BECB2CABC17F1D5BDA23D413E949C3ABBCAAB7B3D2F4161BD42ED353CE03D70BD90F960BD517CB2BD531D03BE92D0B3BD6D4010BD03400ABD5F27D03CBE8C243DCF72203D8172A23D6B3FC2BD850CDABBCFC00E3C03E6A6BD771337BC4AE1D2BDC2BA483DAC6682BDF3B4073CBFAF8ABCAB7F0BBEC23C91BD9376CB3D1689823DBFB5693D6AE57D3DCB997BBEC5A0693D725346BD8B7A513DE91C16BE3F27D8BC6B0124BD974B16BE13D47D3D87110E3E17B3963C4B92463E76848D3D2520DB3C3A5890BDA530933CC1BB3D3C9F7BB53C08E095BDFDBCC5BDB72111BE6587B63D170E473D80DE97BB8CDF393E23A17FBCD7991CBEE34496BDB3E915BE704C443E1FBFA5BC3D9ECD3DD3C19A3D9DCDE23DCDA72FBEA23B3EBCC287F43DC2CEC53D8813F93C6BD3BDBD59AB373D53A99A3D98B0E13C5859923DDBB79B3C47CFE6BB4F809EBDED6B613EB720803C5FB641BD8BD88D3D6481CC3CBA57B4BD10D3E93DFCA422BE0552F8BC63B75A39CE11A3BC581EEC3DC6940B3D9762ECBCAE7534BD6FE16CBD0EE63DBCE7F1AB3D6AB1253EB7F1663EF0E237BD22A3213D23E0F53C5FF9163D3B6928BE440F38BE917938BD53763B3E1E19BA3D7B01C7BD1A9B4CBA048149BEA79872BC2F9216BEBD4405BD1F3E113D286B6CBD557ADC3DC2CE8FBD9FEBC2BD08BDE13D3FFD6FBD2D85133E9FA4543D27D8DCBCC740033D7C0C303DF44E12BDAF21B5BD4B9C943D9FC202BD43DA31BD305C263E3618CA3C68B3083D53458ABC82173BBEE7CEDC3D57A4853CFF613A3D4FB6363D07569F3D2D937F3D7BC8AABD8726133E47E02CBEA307B13D91673CBC9AE4F63D038896BD4A9F59BDC8455EBE0A158FBD7715A6BD4A5D18BD4A2A90BDAAAE90BBD8B247BD055F783D6F0776BD2F5122BD0CB316BDED8579BD4FA04FBA77E6F03D3FEDFABD3F45DA3D571C2F3EE7F4A13DC5ECF23CA7E93E3D418622BD7672483D2DA32D3D6050533DAA9FF7BD8A5E50BDDF2782BD43DB09BE52DF2CBD9452C03D841F0CBE6415093DA13344BE41EE2EBD477D7F3D5A7EEDBCEF90FEBCACED9DBC046BBFBD47DC913BA6823A3D156AE2BD358D16BE3DC97D3C47CEED3D4F21793D5387C4BD78650BBE6B6C9A3AFB812D3BCB41F93CA6E409BE37E9073CF7DEEEBD55EFD9BDFF1CB63CD508813DC57ED7BC2F8584BD3701B33D83953D3D3401293DC279E03DE7C1983CA55389BD1334E03C87D5EFBC9427C2BDB89D683DFB62263E5BD6773D8A65073E5510A33DF52E3A3D4AF2233EE00D863D2719743A9052EF3DA5EDAD3C9DB51BBEEFAE95BD4F1026BEE95EB7BD79EBAC3D4996963D4382D83B030E1BBED9C58DBBC7FD833CAA9AF6BD3BC5243DCAD535BDEF2114BEABCE263D370205BE4913893E9F1ACABD2BB412BEB01DD23CF0E9523DF3A1C93D9FA5F2BD1539593D3B5E71BD14A38FBDB10C093EA790A83DAC4019BDCF93E6BD028744BD54F002BD4947113EA80FD6BC5CCAAF3C934305BE119413BE67E96ABD1F264CBD5D269E3AA4CA18BE82ED5FBE5F89AE3D8A504EBE2BA1D9BD8C4D1DBD1368D8BD337CF83CBF5B5CBE34E728BDCCA5013EE3DE453E4219D03DC877A4BC6B26D7BD0FB2973D408E99BD8DB6143DBFD29A3CB0F68B3C92570D3C95A39E3C60761B3EE715003D87475F3B082B6F3D6CA2B73CEB67C2BBA4F5BFBC2BD6A7BD328AF93B22E88D3D0FAA8FBCF5D71A3DA9BD363ECB12C3BD6F8402BE5D16B9BD44B8A2BD45A9F13D961FC73D534A6DBE135EE93C630D27BDB5CE85BD8B5E7BBD817604BDB301553DCED1A1BC9AD1113E0C2132BE465D423D4B628FBD17882EBD53E785BCE432A9BD5379FD3D27D54E3DBC4F0A3DDD774F3DC5C22B3C905194BDE0BE84BDC560FBBCA334263E333587BD016C21BE3206903DE5D6603D6B96873DB202863C4B6D49BABBCE2C3B29E19ABC9717F43D585B78BD569DAEBD1F40A73DD3D4133E856C14BD089C783DA06D63BD28EF853D4BF1223E3265143C9B8037BCDB2C923DB1C39BBC8A65E2BDFF3E5ABC2B11993D0FD13FBD93F1433E37E0FBBD899404BD931DAC3DD99DA1BB3B72EC3DB7B382BBD3F8B03DA33EA73D89B106BD8582EFBDE06DEC3DF0006B3CA4CC22BEC588A3BDCA34DCBDCEAE9EBCDBE4233E0E1C0ABDC3E94E3D5FA609BE34E40F3C9B6E993D1AF5ECBDD7E71EBD2FFEB8BD087E363DBC4A16BE73099FBDB26744BD19061B3EA8F12D3CA53C3F3E9F114F3EE926ABBCB6302EBE754DA3BD52A9EABD97401BBE854D84BD047224BEDD58873D8F58173D4026CDBD1EB31FBDB77370BDAE6A823D259422BD7254DA3D8F2B013D3992B53DAB12393DB9A5983AFD11DB3DCA712CBE034EB3BD9A58B33D99B8073EA6E60DBE136012BED651C63D0FADAB3C07F4933D4B4287BEEE55C4BDA50829BD336CF8BD1717B1BDE68C35BCF76A9C3DA3F014BDB3A667BD46E944BD543B9D3CD2F69F3DBF69983CFBF82E3E7FFEA0BD42567A3DEA4496BDA26458BCFB65AFBDEA4B963CF145B23D7230C83BA332CBBC67230F3E812D4A3C939933BDF84F8C3C0A7405BE87FE58BB5995413D367D8F3D03EDC0BD8F36AE3D47B955BDD8FAFE3CE325B9BDB9E939BEFD5258BDC3D190BD02DE7F3DE0256D3D55F51ABD5F73FCBC87CAAABDAF1E4ABA1310F2BC0B722FBE43BB21BDDD67B2BC437D2F3D5F274FBBDBF1903DEE2980BDB093E6BD054FD33D376BDE3C14DFA1BD71B0B73C5BF44DBD4FC0D4BB4A7351BDB7B1253E378332BDAFD1553E9F08EA3CFC1EB23D63F3483E5F5AF4BC1FCA13BD37552A3DEF088A3D471F70BE80540F3E184263BD4B8C7BBE3F841A3EBB36493CA2D6A9BDE8CB50BC98F852BEE2FF2E3DE8EDEEBD983B123EC7E403BBF25571BD9783973D2FE8D93CE3BF1E3E9A4005BE7B80CFBDADCBCCBD0F83693C"> : tensor<768xf32> to memref<768xf32>
    %62 = loop.constant #opc.blob<tensor<3072xf32>, "", 0, 12288, "aef24d75441c2c10a5ef9d7bb8bdeacefedbcd2a9772330fec34332def025574"> to memref<3072xf32>
    %63 = loop.constant dense<"0x47C7BA3D17CB4CBE5732DBBC3333193E23EEA4BD871250BD7F4D103D4028613E1AD9DC3D9C3A08BC587273BDFA1FC7BDDB8AC63DF1901EBDD2D502BD6FA3593DE7FCC5BC6BC276BE5D5404BD53F1223C9F0DB1BDF656003DF0B2DD3C6DEFEF3B3FF8CCBDC845B83D496E00BE0A154D3C3B9844BDAC7F8A3D5DD2503E0A9D763DC38B9D3C4F05E3BC768C36BEA89891BD22D028BD83A2893E6261353C66F01D3EE88520BDEBF4173D59A9363E2EFF8F3BBB5D0C3D0FB06DBD8FC4ADBB65F612BE534F07BE7FB7A8BD6F7C0ABE5B3FB4BDC040F6BB1A2BE53D44F7033D93980A3C02E2ADBD98522CBEE5635DBD7096BFBD5DA1603CBB7BFF3CAA7F16BE426FE5BDD88383BD75C13D3E67F9B3BDDFB8053D6A3FAF3D8C70B1BD7FFB383E4F8935BD4249C13D081A273E2DFFF1BD4E26A7BDB73A803D8AA9333C98B10BBE3F8322BEE71164BCB9B518BECDC9E5BC5F050BBECD4284B95234123ED03206BE2B48803A453416BD0D16EC3D8EA288BDC83644BEF411C13D7FED2BBE02B8533EB995093E9AD055BDB7E400BBDF7240BD79F906BED3935D3D6B13A83C92C8DD3DCFED8C3DB7FDD0BBF3F1CFBD40D10B3EAF84503EDB58BD3CB39079BEB9FC45BE59FA8ABC33C3863D9BD2603C6B6DFBBC2263503D12D169BD620AEA3D45679EBD83243BBE4A1F6B3D689457BCA704333E0F65D4BBBB1F953D2F4E55BDC707B2BDD38AC03C944503BD76EA0DBDE3459CBC088DDB3D7007DBBDA6D022BEEFDDE9BC6741733CBFD1B73D5989B3BDBF81CEBDFFBF5D3CC36BEB3DF61607BDFE0E9F3C6A7340BDF32ED4BBE4FB2A3D4964BA3C52ADD4BD78C54BBD9057E73DE364EEBD93338F3D644321BE068B11BEADA0A53D1DF9E2BDFB32053C6AB11EBE4A1A623E66C4C73D3FCB8D3D1FFDE73C3575D4BD724F84BD6FDC033D723CF2BC005DF83D3494A63C015922BE6C6498BD58A95B3C71DDA43CE520DABD888B3EBEB3D9DC3DF34E64BDE661113DB8A0603D3FF7F93B5DD1273E0B8940BE34008F3D0BBA763DB7A80F3EA195CABBAD3CD3BBFF52C2BCC6D6C13DEA21C0BBFA8EE9BB07637CBD6FF33EBD6C6D443D4FFB2ABC3ADFE23D1BB356BDDDDA86BD20070C3C579330BC7CE9203E4C3BADBC55BAFCBCF527113ECF754D3EF5BD55BDA7534BBDC22368BD39C39FBD3F9453BC85D3CA3C6C934BBD2BE71ABD4B54ECBDA8997F3E17B316BE838C49BD4215D93D8BC28FBD4920103DF38813BD6B2992BCB15E9E3D3531533D49C7433EA0EA7DBC253A56BE683652BD36AEAD3DE50CACBB0A25E0BD3262A03CFFFC23BD07590BBE324EA1BD05A7F33C881526BDEB5ECD3C241A053E4785E63CB78844BE48968FBCEBDF323C3462813D0816ECBD13DF1EBC13820CBE078AD0BC132CA63C6A05D13DF32FC43D06211F3D3BEE10BE50C2FE3D35FA083D2B13D3BB59C41C3D8A1462BE415D21BDE71EAB3D6290F33DC5E32FBE60C84F3E039719BE936491BDC3AF45BEFF5828BEC9F3A4BD77B532BE73CF0D3E8FD3B4BC53766A3D9968813DC1871A3D6023093EC12A0EBDC427BDBCF3CE933D1D12CC3B52B821BD1898F63C858A87BDE8002A3DF122B43D2D11203E8AE8DABD8A29AEBD3B2C013E05B902BE30AC52BC1FCFD73DBD61983D30C7B4BD1F2337BE2B457ABC119FAF3C6B390B3DF7417C3D216A053E0BAFCF3CDFB0243E0381223B875B623EA781903C0B1F03BE574CB0BD6B7D1B3E635C9ABDDCA50D3EFE63CB3C4B18CBBC3ABD72BDFA5995BC1E830CBE998D1EBC2F2CAC3C8A03D2BC17A928BDA6D6173D3419803C21291FBEC6710C3DCEED17BE7B8D8D3DD74F443DCBA28DBD2F3C80BCC54077BD307575BD38D751BDA0864B3D6C0394BD7B6843BEBA15FBBD6D4BE2BD8A3DA83DE1C69C3DB303D1BD3806143DDFD711BCB8B7903D745DC63D9430A43D071AB6BDCFAEF0BD78090C3EB0FCF9BD94B72F3D5B4AF1BDC09BAE3C485D4FBEC3C779BD9F7F8B3C909E423E57AB043E8DF532BD430446BED06346BDC5000BBDE101C2BD62735B3C55EB0FBDFDF991BC65FAB6BD2534233D78FACD3CEA4B023D03E991BD8F11C83B4740B03DCF9B223D3344B03D65987E3D9381B6BDEE85C63C103A7EBD6709883D2F976ABD3C7693BC3EB993BD17F905BDEB73203E3BE088BD6F18AD3DBB36D7BB476300BE23FB2DBE27D00FBE07C9F1BCDDE1813DBB61A6BDCAADE73CF2050FBDE3D136BD03A29FBDAA2ADF3C435411BE588EB33DBAA44F3E63E80B3EA59D4DBD60F3C3BC88B579BC5B5572BC075B9E3D037B303CE9431C3EFD48ADBC3AE775BDB097CC3DA315753CD58BD43C672A5BBE0454B2BB5586ECBD7ACEC9BDD6980FBE2F88703BABFDD1BD2F07453E84CC29BD6FC2B53DDA3B3A3E4E7584BDA00DD1BD9BDF5CBEBFE165BE176D483D0C05C33DC35854BA48E1723DF34197BDDF41513C23F1633D5272613D8F2A423D5347E33D735FD0BCFBAFD6BD93A825BC2EC50E3D951D073E9DCB003D652602BEC2A23DBC683AEBBDD75623BA6A0B693EAAC160BDCBA6D3BD93B707BDE095CDBBFE7B03BC8B62D8BD9FD2843D5FC17ABEFB72C73D8F969CBBADD9293D37A1ECBCF267F0BC2FC0013E923E113E977F2CBEC3426FBD3559F63D3827B3BD67B3FD3D88EC92BD835702BE14158EBC71200EBE5DB43CBC812B97BCFA33E03C1F064B3E00EE18BD6F24AB3CB7C675BD04822C3E87A018BE7F5C783D6B9EBD3DA23DD8BD7CBF31BE0E69013E277DA03C0BCBAA3DA977A83D3B37E03DBD884F3EB425073E5BBB4D3D98E839BDB70157BD6DC6413E58C5523DB710D2BD9DAEC9BC087ED4BD7CBF3DBC739F79BE320791BD2B56EE3DE895CEBD6702813EBB137ABE9DEE1F3CC5DF213D3F9D013EEFF24E3C372B333EEEE2313D73796EBD7DFE7D3BF54C46BE8F49BF3D5B2BBDBD3D95E7BDFBE951BECD19E4BDEAC1BFBD454F833D4514503D37E655BD6575F5BDD74D07BEAA8C9DBD521FC93D6B0845BEB2D58C3E648D0E3E2EF2C2BDBD21643D056422BC0ECA033EE3D8923DD37F793D1AC4BF3DCD5079BE9A7F783D6821F93D8D73C5BC7F15EFBD556A17BE9FD10A3EB0584F3E9EEF47BD7BA4413EADB1053DFFD7DE3DC1C2A63CBDDE59BCF93032BD7326483DBB3C273DA073FDBC02A989BDA3F2F43CABCD863C030B1BBD338493BD63DF163C64F6BBBC77D153BDBE48C6BD5E4CC3BD8FA4C13D7949263DC8E2E9BDFA62D13DA0B4F2BC4324B9BCBCACB1BD11BA06BE2700B33D333F2FBEC761D23C7136263EB7B36C3DBB5F3DBD1408023CC399703DCFAAE0BD4A7E09BDCB3485BDC7F99DBDE0E55BBD9D4AA23DB7C6133D8A572ABD7329B03DCF6530BEB36998BDE2ABCFBD7A5B1DBEE30D773EDB6F9EBDEF94183E13FF173E3FAE523DA061293E2B938F3DC3338BBEC7415EBE53C04B3C87815EBD1FE0153E8C6E20BE50A3B3BAA3F8CCBD3B96073E25FD9E3D8FD2CDBDF202D73C405EE33B7A69E43D20BCE53BF12581BD7BB7133EB0DA0DBD4549D1395DBE683DE7E5E33D93CCA33CFFA4C3BCD0F353BE05F2623EF0A6F33B5BF84A3EA27213BE97BE53BD90E9E2BCCFE204BEAA465D3E25E6ADBD44C84CBDC29767BD0B9A91BDD37CD13D7F7C1E3E37BC4E3D5C55AE3D5B4B343EA3D63DBEF96DC8BC4D6272BDE8CD443DCBE670BD23192FBD67FF823D3623953C1E512A3D2AB029BD0CA7CA3CB3632A3E5F02333EE8D1C0390329A2BC18E18C3DA0BFFBBD8D7EA43DE10A40BD8D58553E2188B23DF8FAA83D87DA243D3518E6BBF6BFB73D3AC00ABDEABBF43DAF8D2DBD9C51963DA64FAFBDC5B461BD139B823D2395DFBD0548BD3D4B8838BC672545BC379E8BBDE32B553DCEDC443E52E2B73D58EC7D3D65BD23BD1BE32B3D55A0D93D2ECB8C3DFB338CBC92952C3E75D56C3E37F6B83D9826373D65C1023E37895DBD6F6E8D3DEFC3ADBD5417BE3E8200D73D2BE713BE338EE2BD6B58153C9B40CCBD38AECE3D60F8EB3D1EBFBC3D6FDD42BD7871DFBC971620BEBEE0913DA0148F3D13350CBCE85CE2BC17B101BD634F2C3ECE001BBEA18727BC5AD240BA0C5B20BD7B2FF93D5D34FFBDEFBA6F3E37201F3C1634303DC5A8DD3D7394013D50B46EBC9526DD3CA30A2DBE66C5B6BDEFB4153DE46198BBB3474C3E3591883B6605A0BD2098423DD7252ABD2259A13B67638B3CD821E93DA50FF33D305666BD331AFE3D7F410BBE6325B8BD48F6F93DDAF67C3DC55CE9BCD30095BD29EFA8BD95A3A93CDBB4983D21AB963D480D88BD4519BC3C871104BE138CB1BD805E7FBE6F8D90BE57C5663D3E1DC13D9B3AD03CB5BE2D3D9BCBB1BDE7F2AEBD638985BD654731BE7D86753D"> : tensor<768xf32> to memref<768xf32>
    %64 = loop.constant dense<"0x9EA87A3F57AD783F0ABC733F81A6823F0924913F07A58A3FBBCDA03FA1DD953F7FE0883F34EE923F90267D3F792A4F3FC17E823F160F8A3FBAFA8E3FC27C893FD97C813F26A1923F0EDE793F98D97C3FF5AE893F0EAE653F98C0813F0A05883F5586883FF001743F44D1853F51D38D3FC011883F3E127A3F33ED813FD7F0603F1FD3733F9FEF713F51C8793F88A17F3F2AD56A3F0151643FEEEF863F7750783F5C71873F283D813F72D08A3F8CF6493F4BEF723F34E4823F684F923FED906A3F42B4893F96808D3FA29B953F1F5F813F89BF813FE369823F3C2E853FA72C823FA0F0643F2071643F427A893F5EEF8D3F934A643F6DAC7D3F6C769F3FA8877A3FC3E2853F24C1873F9FC8963FEDEA903F33C8973F32E0963F324A983F55345A3FCBBE523FBACF753F38327B3FB42E7D3FA8388B3F5A2E7E3FD7867A3F1D6F7A3F8046603F4AEC903F8D218F3FC9F08A3FC98E6F3FFB47803F6755863F88377E3F60CC583F6958853FD76D853FC14E833F480F703F4E8A853FB89A5A3F6C42693F595B863F0892563FF27C943F16B3803FDE9E613FB6AE7C3F530F8B3F29DE4B3FABD77E3F579F423F4DD58C3FCE1E643F22438C3F0D4F873F1F9B873FB6DE603F1D51713F2732823F88306D3FE5138C3FC12A813F4E21923F95028E3F8876833F9699A93FE426903F9AA08C3F1051843F2986933FCB987B3F4DF06C3FFE396B3F9B816D3F8744863FA5F97D3F2E4C903F52EB863F2C9A883FC22B633FD8FA563FBF9E7C3F2523763F383D743F850B873FCBD6803FB67F7F3F82D7883F7BFE8B3F8B817B3FDEF27B3F91B36F3F0DFB6B3F5819613F630A703F3F35593FDF8F7A3FDE82873FC19F643F92788A3F793C853FCE0D853F2E928B3F3C447C3FB42F943F26E7863F4A69873F5C34873F0EE9483F159F7C3F93888B3F353C7A3FDA3F8D3FE276743F295C763F26AC913F039B663F748F793FE5238C3F55798C3FF820933FA1F7883F09D1723F1655913F68D1803F8FE37E3FB4436F3F6D2A5C3F4CE6863F2B14793F2D0A843FB173813F2A27633FD711843FB82B8E3F6B599B3F186E8D3FAD0C573FA334863F5E43823F9134863FFB6E893F00E9993F66718E3FC0558F3FFC38983FFAD1893F501C873FF2B6833FCF8E893FAEEA8B3F66D9823F94868D3F7C8B823F9E97843F3A00643FF0EE8D3F3571883FDC68833F2DB9743F4443833F1E5F8A3FFE09633F5F01823F92AD853FEB467E3F6BE66E3FD9A0643F807F613F64BD763F985B933F94757F3FEDCD843FD589883FDB79853FEB66813F9A32863F30D6813F7F2F703F4205533FCBAC8C3F2CD9633FB7E9893FCD6E723F94AD7A3FD49A833F064B6C3F0A1D803F23DF703FB86B8E3F1481733FC201883FBDE2783FD6614F3F6027713F06617E3F853E8C3FF22E573FAEAA5C3FE823653F1CAD843FED0F5F3FDF5C623F0346883F8084653F7E286E3FE233413FC77E7E3FA39D803F0CE1873F73EA453FCC49593FD161763F626F803F03AD703F7F217C3FA126753F80A7823FDC70863FF18D7F3F0BEE8A3FA1CA8A3F6A5F923F05649B3FE65A7F3F3752833F9C618B3F5A8B893FA0B7703FB821703F2301863F4ABA6A3F3C0C8A3F4099893FFCFD733F5EBA643F5A657B3F0389893F9CFF4E3FCDAB8C3F915F863F70D94C3F9D10893F9D007E3F10E4863FCDC87B3F54D9813FA2CF8D3F18088E3FD901803F387F6F3FD23A613F1A306A3F0088853F5F01743F04AF733F9109783F9B38763FBC1F7B3FE743803FB7F2773FF5BF803FA6DD883F4705673F3F296F3F13D7723F7AFEA43FFB6F713FE679863F12487F3F2CB8683F03AD753FE4E0993F06C5783FE91E7D3F0B83943FB43B893F37D5833F9E29833F3F24753F2552993FD2355E3F0E3A763F91D2803FDB84983F4F1D7B3F80FD843FCDF3813F8C07803F817A833FA198813FD4D0913F3F46903F72D37C3FB2FD883F092E4E3FE83E883F6069883F4F8B863FD77A843F8674793F82F1823F6FCA573F9511813F3BD4793F2A2C773FAA77473FF3198A3F2B68943FC6E8653FB2D1763F3996833F340F863FD9C6823F29227A3F9060673FBC628A3FC7394F3FBDB3983F71C9543FF5AF643F2A12783FC2E6753F61AE8A3F9262943FFC72623F45CA3C3F5A36743FF50B833F3CE95C3F617C603F51B1553FF1B3803FCBFC753FEB757E3F0671633FCEBA903F81C0863F95DB763FECE0813FEA72823F0431293F30DD703F78B8813FAE98883F64FC853F68B2683F0EAE4B3FC4557C3F9F139B3F6931733FC2F3913F3A67753FB4EE933F26C98B3F870E833FDF9F543F9346763FFE50843FA63F883FD143843F9943833F2B39893F4A5D823F9412823FE3FF893FE0EC643F2AE7893F75E28E3F8AF28B3FB581813F7B708B3F307E6F3F563E713F0194643FA5227C3F47C3773FF800723F42AD663FFF05663FDB0D813F5DD65A3F98E26B3F9B29863F04BF873F55EA4C3F4EE1503F19007A3FB6B8523FBAE0833FED468B3FDCFC6F3F7F01673F31788D3FB857763F0D798A3F84165D3F166D773F97A0703FF47A533FBCD5833F383E843FF543793F1909903F01438D3FED20913FE3D5933FFE57893FE6CC813FDE7E6F3F1FC1803F11CA853FE098853F8A37583F0ACE813FBC55813F2F90943FD660583F52D0813F73F96A3FE2313E3FEAA6883F2BBC863FE22E8F3F128A903FB1F7673FBBFC843F3F287B3F5507633F1D1C9F3FFAC4913FE4D2873FDF34873F8DEE833FB6B28D3F7B657A3FA73D643FD4AC813F094D893F6270693F0940663FFB6B7C3F84DA4C3FADD57D3FFB69873FA7C87C3F1437833FC65E6F3F99B8873F5B11553FADB7753F06F2753F092A993F33BF743F7EB3A13F3040833F6E87563F02D2923FC9698C3FE43F833F0A626D3F836E593F3BA5903F0E2D7C3F151E873F9FE4953F6C516E3FFAFF5D3F5F25933F5FDE8C3F75ED763FDD81823F40366E3F9B20533F19F7643FC739783FAAF3773F2536813FD2514A3FC7C4693F33748A3FF6D6993F0871803F311C8E3F0D33833FC86A773F9C836F3FA0608B3F54A9653FDCC36E3F090B853F2D07773F42A0673FB0BE643F7CF2783F010C723FFD00803FB9747A3F9D3D6F3F9D5A653FB60B6E3F92BB5D3F3B278B3F6EA5833F4A99833F7E8A7A3F35246D3F564B843F22CF883FA16F8D3FE3EA933FCFA5803F0D00973F067F843F5065863FE052723F789D7D3F1D3A863F96028A3F7CF8853FF74E6B3F3012873FD1365E3FF1406A3FE0EB663F591E703FE195853F9B33653F806C923F56D3873F7B38803FA5BE903FE525953FF670843FD99A643F5B9E503F14E25C3FA2328E3FB59D843FA6F27B3FD3B66A3F2306723FC37C693F5E61723FD0EC8B3F7013693FE2767F3F1A039A3FCC00883F0EDC773FDF377B3F7A88563FB81B833F52AF873F2A83903FD117833FBAA48B3F5E298D3F96E8693FEA08863FA48A873F54DB763F5949613F4BE98C3F1F8E823FB495853FA07B833F216E933FE3ED903FA3A26A3F7F1C873F6B966F3F394C813F0066693F28F48C3F914D953FCFA8963F791B8B3F185C933FE6A24C3F5DBC6C3F4DD8773F500E8D3F7D7D8D3FB420543F51508C3FC5CC7F3FD207783F452B7C3F46B06F3F4FE57F3FFC03863F2721883FF330853FB2755D3F66AE793F3A777F3F6DDD6C3F0557863F9A2F843FDB46903F9ADB643F944B9F3F01D28D3FA3B68E3FD651443F1ED58A3F55A1763FEDE2893FC460743FBE65693F5926843FFBFD633F561A953F3D5F833FCD8C763FCC52623FECE76F3F0FD5803F28BE6B3FA4CB5A3F7C97853F302E873F88998C3F3B0C883F6BBD773F4298873FC34E8C3FA0A8803F88E4553F72A5653F15E2773FF0D9873FFC52743F023A853F64508B3FB45E813F8D89903F9BC57B3F8B59793F65C8533FFE686E3F8E636D3F8B958A3F6583823FB1EE983F34ED963FFECA5C3F7E638C3FDA0D603F323F8A3FB4F53C3FECDE8A3F7451683F6AE2793FE641883F419D743F44A77D3F82696B3F954B593FD9A58F3FEA907A3F0D5F833F0CCF813FF54C3F3F36867A3F9A95553F4ACB833F93098C3FE8AC853FF546853F9B2F703FB9D78F3F9D15773F1A00783F58BF8C3FF910753FD27A703FEB8E643F7BD26F3F6FA3673FB6E4923F4E906B3F9092773FFC99723FE8576B3F179D8C3F1940A03F20C6863FD56C6D3FADF4693F27788D3FBE416A3FDDEB5A3FF7E3923F9BA7853FCA7F753F11AB923FCB59693FCAE58A3F0221473F560E743F75A0963F647D763F2FDA8C3F12A7743FF47F3B3F4FBB6F3FC0A8733F06F5663F60EF843FF2E57F3F1CD5913F"> : tensor<768xf32> to memref<768xf32>
    %65 = loop.constant dense<"0xAF7E84BDF078803D17A72B3E7351A2BCABDB95BD6EFCA6BD63B6903DFF595E3DFF6084BDAE768C3CA4AD4CBD12AA18BD66D68FBA4B30083DC700063E0F2EA33DC80811BCAF1F873DD38107BBCAE0583D10F90C3D1FFD9CBCB742223E1237EB3CDF8ADBBCD2AD823D95A5BB3DC5A9DF3D73D3723D20E04F3D98347F3D1B9F52BE1D48EC392ADC79BC9606C23CC4FE3F3C958668BDEBE6023CCB285A3EDC16813E2988A03DD598EDBCEF4392BD472C1CBD116B19BED5884DBDB119243DCCAE353E77B9AEBDCF1B04BC5BA1E63C7875D13B48F386BD076C5CBD0236A43C7732F53DB1C036BEC6D8383DF4E7A63C6782A9BB031DB6BD27F8B63DA24752BEE9740A3E2B0FB23D0F21BBBDE34032BC8B619B3C1D12543ECF336BBBC52BF0BD7AC5C3BD77C6D1BD68F28A3D6C7B12BB9F0E10BC75C16C3C8BF21A3E4F89EC3C0EF13EBC1F99C03D4574673E1011EB3DA82DE73B6755293D18DAE1BD9BC395BD9BDCC63DBB629D3D2A0FA03BD80EAABDF4BDB23D6182893D2B2B6CBC2BC0C13D38AE7A3B1A8B7ABE6B9C78BD9B0315BD549333BEB8A67A3D2FA59B3BD264233DC98C873E7DACFB3C8B6A953DE27B73BC32E130BD414EAE3D977DBA3EDE08A13C724EAEBD007E17BEDF1045387C24323EEF21CE3D3AF99FBC8576333DE3DABBBDD72F17BE780280BE389A27BDC85563BE83C40F3CFA27433DA4712A3E804303BE15DD64BDD195153E3E4AB83D7478A0BDE1451A3ED94FB53D902FE2BBD01AFF3CD71AC43CE43124BEDFE9D6BCF380BABCDBB1B23DB36A323C07773D3CB0801EBE26B2A7BB48AAA83C1A60BEBD8BF4DD3D822E2A3EAD018C3D2F2FAC3C3897FD3DAB7AF13D9879173E2E34ABBC520B9DBD4C0AC0BCC0D9D8BCB79F61BD6CB13C3D3A0F933DE29C80BD68455C3B748E42BEF783543CAFC1C33DBB01DEBD429290BDBFB5BABBA20A6DBBEBDCE83D780B7A3D0A76523C554D88BC7311D3BAEF67743C9BE9ECBDC29BEEBC17CA3EBEC3096ABCEC212B3DBF40EA3D2383B2BC6BCC3BBE7F39093DBF54B2BDF703CC3C8DC23E3D893E9C3D2DA3FE3B73C05EBC57A328BEAAF0A03CC4A1A83CD1BF9DBDA73C10BD10DCC03D9FC7C0BDDD465B3E0B0AF73D94C1323E953C2ABD62E4F1BD5E68A93D7BBF0DBE3FC0F33D04B6B13D9A1CD2BC3BA132BD7737493D27E757BEE252243E43E554BE179304BD03FCB03D93A8E03B17F52CBC37EAA7BD17EBCBBBB260E13B3BBD483D59EA20BC4F692CBD64A344BD0FEF643C7BDD50BE8097013EEF9428BE930A133B4F7F53BE74CA9E3DAC354CBDE990023E6E58433D3394613D182F9A3E0FF2A0BD7E76123EA7AD5FBD3AC8AC3DDBB44A3DFD39AEBB4A1E683E30462EBEA385433D30A79C3D68A63B3D1F0341BD55EFD43CB3CC1B3E3292E73CEBB306BE9B597DBDBDF7943D6DAAAF3DEABAE63D6EFCCA3D0D7C2E3E8269C9BCE16B27BE613A82BD55B7CABD3FC5823B7FFA8FBCA29DCD3C8A0543BE4102B3BC3228113ECB3AC6BDC0B808BED0F87CBE1280573DEF1E6BBD4A1113BBE10A9E3B1A32343D5FEEE03B157920BE4B76143E5FBCC73DE0A354BC3B66BB39654983BBA84272BD2B17A83D642D91BD6E4591BD3837E9BDC1BAB53D0F4008BA700994BCEF16FF3C176CB83DBFA45ABD0D8839BD611C473E7CC122BD5AB760BE2775BF3DD537E63D8EAE903DDF4F46BD4FFBF4BDE7B662BE78F104BE9DAD513BFC7125BC055F7CBDD397973DD57412BD6755363E1F73833D08EF803DE85C873CA208233E0144C23D2A03503EADA7FA3D0E0B0E3DCFB2293CCE6026BEFFAA063E382D303C62B4933D0CB707BDEDB9B43D690EAEBD896A80BDC8586A3D7B42E3BD87178EBE111C233E0BC40F3E0E8D29BD9905933D387BE3BAC7626DBD89FB373E2B6D2CBC703F7F3D9F761E3CA0CDBD3D870B38BEEB44043E5BD94BBDCD6FE7BD48ECD13D4FFE3EBEE50FE13DF7AE72BD02FF9F3C450F63BD7B5CA9BC039ED3BDFB6E843DAE0B11BDEB992FBD4C5211BC4FB8013D32142B3D546BB23AF9B88CBD67824F3C353BE13D98B8C1BDBDC032BDEA8C3EBDEBAF9A3C68921C3ED4A422BE7C65203D671D24BEC2BDA03D8F48D2BDA12D9B3D0D7C263DBFA0503DE3798C3D2BE6C9BB33583F3D280CDABD83F79DBC3FD237BD8A87CABC1F2B37BE85BD8EBD3ECFAA3DFD90693CEB84463D1B7DC33D577174BEF348023DB5C3863D6A9EC23C03F00D3E2FE0AABD58C6E63DA2023A3E1BC2E2BCC05697BEDD2DE13D3A9D5C3D9221973D190A42BE7E250FBDFB6339BE2DFB623D82D54C3E4229A43CBFD0E5BC92B64A3E3798C2BDABAF923CB0FA4D3D581B78BDA5B041BE2B75EA3C50E5DBBC90B5F93D274114BE5815803DE02E9E3C476FEEBD2AB0EB3C434F25BDD8A856BDB4B803BDF0C6683BACE9BC3D2DAD9B3C136FBB3D92724FBD425FDD3DF748853D02701DBD93A1E6BDFF15A8BD4AD70ABD2D4125BDA9AE2E3ED5FB403DAD33FE3DC9FA13BEBE5D46BE6DB6F93DEACD1ABEE6D00FBD31EAB8BDDA75B7BD1A981DBEDAE3F73DC7121F3D93C016BCC01B0DBD6413163DB0BBCCBDD6CC083E269AB53D1B0F14BD6F03E7BC3F6CB33DF00862BD1B26223D4F9E20BEB004FBBCB573EEBCD00F03BE2F5828BD2FF70ABEA2E654BE27F5D83AAA4E6C3A51F135BD7F241F3E5E8691BCA0E528BE8B412EBE31B2A7BD5A8BA9BD44E804BE3094443C07AB9CBC0C051E3D97B3C1BCCCC0B13D7B45703D442A303E4006283D38219D3D8F5A16BEA9F3893A632C193D5FA7473CEFF9DDBC6F5C7B3CCA1CEA3C47D6C23D78D33D3E15E13FBEC0AA24BD77FE02BE4208DFBD156C54BDE9469CBD85D750BDF94A43BE2793923D4A16FE3C933CC83DCA7FC9BDAC9C073D13AC363E7855D6BD0124243EC5B5D6BD87FD113DC75CB63DCFBBBFBCB7FDF0BD4BB51C3D07D710BE907DF33BD2A7F5BB7B7F603EA795E73D37523A3E032ED3BC48BF4EBD8A74113E933E95BDD87BB0BDD09D813D0B5C1BBE32CE2DBDFDF8E33C7705603EB3F7C63DDB016ABEA61EB83D9DC2B3BBCFDB93BEC5AD4FBEAC20A9BD146E10BEF21B0ABE068F923C53325CBD055C7C3DEF581BBD5E95AF3DF1E5C63DC7A18CBD5F1310BE943884BDD88B5CBDD7D2F4BDFB9EB8BD7F6CB63C832153BEBFD8933D3B4EEE3D1015E7BDD8F96FBD7FBE443E43453F3D6C50B73C6D1B90BD13CA06BC07F0A9BC033E483D00204D3C5A7B753E3DAC473D3FF72FBE9E9DA33D0EA03F3DB2B03ABDB2B7FF3C43FE2D3C2B3D29BC8C0B18BED515CF3CD71322BDC1961E3DB234A23D0B901E3CAAED693D8F011C3EE3B9323D724A573CD267B9BD83DB9A3D8BEC24B9731A2E3E72C3D23DEFA765BE9F2598BD24AB42BDCDE2993D8EA924BD401927BD406C8B3D0B96EA3D77A500BE6DC2F4BDFF70AC3A30D2093E58CB42BCECDE91BC27AB3CBE1FDD1C3CA606C13D1F2E3A3EFA18DE3D7BB1A83CBB744CBC3DD38C3DBF67243EC710863C1FCB7E3D2FE7BA3D17FC3FBE1BA6BF3B9B98B63D0CA8C4BC81A8A1BD452E9B3CC8C9973D976C7EBE8A1843BE42DB21BCFA6CF83C18BED83DA65C47BCC7A2AA3DCCAF8D3D8E99163C2035FC3C875E29BD15F5F93DA6C0013E2B972DBEA03E863D5A21FBBD37D8A3BCA7B6D03DC2B9B3BD5DD2143E12DA5FBDFE0F893D5F38EEBC03368EBD91AAB03CBB044F3D2DE6CDBCF7D21DBC3B6784BD6A9F263DBBB5EE3C679A7B3EDFC4453DEAE002BD33CB8DBD484AF53C1F5E3EBD7D68A5BD26AC1E3C1084F53B2D1642BC853B7FBC0D7A29BD97C3C3BD1A372A3E95189EBBEED42FBE203EF8BD338DD63D66A348BDAF8672BE29DD3B3BFAE9933D10AEDC3CF834AE3D2FF0ED3DEFCAAA3C6DD485BD3BE139BD58F265BC55047C3D5E068FBDC06ACA3BB1A8913E62A96BBD536F143E71D3CA3D77DF9D3C3F6E02BD4BD3B43D98C1E6BD0F0404BDD33E05BEF71295BB63D0693DA02CE83DA266353EBE9B9A3CD3E3CD3CCC5623BD025F87BDA2C5A4BD65325BBE4FC779BDBC29AD3DA037F83C1B04823DF5294C3E46110A3EC4AD85BD97C2473D575597BC722DF2BDB505D93DD065E53DA23CE13C4FC666BD4783DEBDEAF8B43D996C29BC67AB0BBEA0046A3E96438CBC157A80BDFA94593D7F56C1BD97BD8E3DF3FCA03DB28BEA3CFC9E46BCE76D5E3D542112BEA383873CFBE0B9BD34ED97BDDA83073EA3F9A93CAD14F0BD7465B13DCBFC0BBD0AAE963D8B2EF13D71F783BD8D4E963B3A8AB23D82CE553D373CD33DDAE705BDD3922FBEA0BE9CBDF877A6BD679A153EDDFD4CBDDB23773E483A283DC2927EBD2D7AF3BD5A4965BDC6F026BE152C00BE1FA1FABD"> : tensor<768xf32> to memref<768xf32>
    %66 = loop.constant dense<"0x00000000000000000100000000000000020000000000000003000000000000000400000000000000050000000000000006000000000000000700000000000000080000000000000009000000000000000A000000000000000B000000000000000C000000000000000D000000000000000E000000000000000F0000000000000010000000000000001100000000000000120000000000000013000000000000001400000000000000150000000000000016000000000000001700000000000000180000000000000019000000000000001A000000000000001B000000000000001C000000000000001D000000000000001E000000000000001F0000000000000020000000000000002100000000000000220000000000000023000000000000002400000000000000250000000000000026000000000000002700000000000000280000000000000029000000000000002A000000000000002B000000000000002C000000000000002D000000000000002E000000000000002F0000000000000030000000000000003100000000000000320000000000000033000000000000003400000000000000350000000000000036000000000000003700000000000000380000000000000039000000000000003A000000000000003B000000000000003C000000000000003D000000000000003E000000000000003F0000000000000040000000000000004100000000000000420000000000000043000000000000004400000000000000450000000000000046000000000000004700000000000000480000000000000049000000000000004A000000000000004B000000000000004C000000000000004D000000000000004E000000000000004F0000000000000050000000000000005100000000000000520000000000000053000000000000005400000000000000550000000000000056000000000000005700000000000000580000000000000059000000000000005A000000000000005B000000000000005C000000000000005D000000000000005E000000000000005F0000000000000060000000000000006100000000000000620000000000000063000000000000006400000000000000650000000000000066000000000000006700000000000000680000000000000069000000000000006A000000000000006B000000000000006C000000000000006D000000000000006E000000000000006F0000000000000070000000000000007100000000000000720000000000000073000000000000007400000000000000750000000000000076000000000000007700000000000000780000000000000079000000000000007A000000000000007B000000000000007C000000000000007D000000000000007E000000000000007F0000000000000080000000000000008100000000000000820000000000000083000000000000008400000000000000850000000000000086000000000000008700000000000000880000000000000089000000000000008A000000000000008B000000000000008C000000000000008D000000000000008E000000000000008F0000000000000090000000000000009100000000000000920000000000000093000000000000009400000000000000950000000000000096000000000000009700000000000000980000000000000099000000000000009A000000000000009B000000000000009C000000000000009D000000000000009E000000000000009F00000000000000A000000000000000A100000000000000A200000000000000A300000000000000A400000000000000A500000000000000A600000000000000A700000000000000A800000000000000A900000000000000AA00000000000000AB00000000000000AC00000000000000AD00000000000000AE00000000000000AF00000000000000B000000000000000B100000000000000B200000000000000B300000000000000B400000000000000B500000000000000B600000000000000B700000000000000B800000000000000B900000000000000BA00000000000000BB00000000000000BC00000000000000BD00000000000000BE00000000000000BF00000000000000C000000000000000C100000000000000C200000000000000C300000000000000C400000000000000C500000000000000C600000000000000C700000000000000C800000000000000C900000000000000CA00000000000000CB00000000000000CC00000000000000CD00000000000000CE00000000000000CF00000000000000D000000000000000D100000000000000D200000000000000D300000000000000D400000000000000D500000000000000D600000000000000D700000000000000D800000000000000D900000000000000DA00000000000000DB00000000000000DC00000000000000DD00000000000000DE00000000000000DF00000000000000E000000000000000E100000000000000E200000000000000E300000000000000E400000000000000E500000000000000E600000000000000E700000000000000E800000000000000E900000000000000EA00000000000000EB00000000000000EC00000000000000ED00000000000000EE00000000000000EF00000000000000F000000000000000F100000000000000F200000000000000F300000000000000F400000000000000F500000000000000F600000000000000F700000000000000F800000000000000F900000000000000FA00000000000000FB00000000000000FC00000000000000FD00000000000000FE00000000000000FF0000000000000000010000000000000101000000000000020100000000000003010000000000000401000000000000050100000000000006010000000000000701000000000000080100000000000009010000000000000A010000000000000B010000000000000C010000000000000D010000000000000E010000000000000F0100000000000010010000000000001101000000000000120100000000000013010000000000001401000000000000150100000000000016010000000000001701000000000000180100000000000019010000000000001A010000000000001B010000000000001C010000000000001D010000000000001E010000000000001F0100000000000020010000000000002101000000000000220100000000000023010000000000002401000000000000250100000000000026010000000000002701000000000000280100000000000029010000000000002A010000000000002B010000000000002C010000000000002D010000000000002E010000000000002F0100000000000030010000000000003101000000000000320100000000000033010000000000003401000000000000350100000000000036010000000000003701000000000000380100000000000039010000000000003A010000000000003B010000000000003C010000000000003D010000000000003E010000000000003F0100000000000040010000000000004101000000000000420100000000000043010000000000004401000000000000450100000000000046010000000000004701000000000000480100000000000049010000000000004A010000000000004B010000000000004C010000000000004D010000000000004E010000000000004F0100000000000050010000000000005101000000000000520100000000000053010000000000005401000000000000550100000000000056010000000000005701000000000000580100000000000059010000000000005A010000000000005B010000000000005C010000000000005D010000000000005E010000000000005F0100000000000060010000000000006101000000000000620100000000000063010000000000006401000000000000650100000000000066010000000000006701000000000000680100000000000069010000000000006A010000000000006B010000000000006C010000000000006D010000000000006E010000000000006F0100000000000070010000000000007101000000000000720100000000000073010000000000007401000000000000750100000000000076010000000000007701000000000000780100000000000079010000000000007A010000000000007B010000000000007C010000000000007D010000000000007E010000000000007F0100000000000080010000000000008101000000000000820100000000000083010000000000008401000000000000850100000000000086010000000000008701000000000000880100000000000089010000000000008A010000000000008B010000000000008C010000000000008D010000000000008E010000000000008F0100000000000090010000000000009101000000000000920100000000000093010000000000009401000000000000950100000000000096010000000000009701000000000000980100000000000099010000000000009A010000000000009B010000000000009C010000000000009D010000000000009E010000000000009F01000000000000A001000000000000A101000000000000A201000000000000A301000000000000A401000000000000A501000000000000A601000000000000A701000000000000A801000000000000A901000000000000AA01000000000000AB01000000000000AC01000000000000AD01000000000000AE01000000000000AF01000000000000B001000000000000B101000000000000B201000000000000B301000000000000B401000000000000B501000000000000B601000000000000B701000000000000B801000000000000B901000000000000BA01000000000000BB01000000000000BC01000000000000BD01000000000000BE01000000000000BF01000000000000C001000000000000C101000000000000C201000000000000C301000000000000C401000000000000C501000000000000C601000000000000C701000000000000C801000000000000C901000000000000CA01000000000000CB01000000000000CC01000000000000CD01000000000000CE01000000000000CF01000000000000D001000000000000D101000000000000D201000000000000D301000000000000D401000000000000D501000000000000D601000000000000D701000000000000D801000000000000D901000000000000DA01000000000000DB01000000000000DC01000000000000DD01000000000000DE01000000000000DF01000000000000E001000000000000E101000000000000E201000000000000E301000000000000E401000000000000E501000000000000E601000000000000E701000000000000E801000000000000E901000000000000EA01000000000000EB01000000000000EC01000000000000ED01000000000000EE01000000000000EF01000000000000F001000000000000F101000000000000F201000000000000F301000000000000F401000000000000F501000000000000F601000000000000F701000000000000F801000000000000F901000000000000FA01000000000000FB01000000000000FC01000000000000FD01000000000000FE01000000000000FF01000000000000"> : tensor<1x512xi64> to memref<1x512xi64>
    %val_45 = loop.constant #opc.blob<tensor<768x768xf32>, "", 0, 2359296, "d9efb02bc65ee7b95d625f19f243e97239ba80c704c42b82b5d8bf9a551c4f92"> to memref<768x768xf32>
    %val_46 = loop.constant #opc.blob<tensor<768x768xf32>, "", 0, 2359296, "8a840d7d4653ce08fede8231a4d03933384588043b5e51ef9e6a8f542dea4da6"> to memref<768x768xf32>
    %val_47 = loop.constant #opc.blob<tensor<768x768xf32>, "", 0, 2359296, "45661af9be45dc69cf819ca09a78c5ae0e1f1ba5c7a50769e26f37071260e8bc"> to memref<768x768xf32>
    %val_48 = loop.constant #opc.blob<tensor<768x768xf32>, "", 0, 2359296, "42085528768ba0162f60fd2d6f1df8fe0fa82bea67022fa8b4cf1c862bec93a8"> to memref<768x768xf32>
    %val_49 = loop.constant #opc.blob<tensor<768x3072xf32>, "", 0, 9437184, "b93511b4ca9aa20a0b79dfe8e23e819631afe14862d08f832fc0c26c258c54c0"> to memref<768x3072xf32>
    %val_50 = loop.constant #opc.blob<tensor<3072x768xf32>, "", 0, 9437184, "a321fa7c763ad819bb3953735014ce31c46cd8d78054f869c3835b7137ce7e79"> to memref<3072x768xf32>
    %val_51 = loop.constant #opc.blob<tensor<768x768xf32>, "", 0, 2359296, "1112d559c3cfb18c3e91bf2174bba5b3b72da8ea6c9f868879cad988392c7af2"> to memref<768x768xf32>
    %val_52 = loop.constant #opc.blob<tensor<768x768xf32>, "", 0, 2359296, "6a0fdd7d5a280b662daf45558c58801bca07ac5acaddc71d33319deabd9424b0"> to memref<768x768xf32>
    %val_53 = loop.constant #opc.blob<tensor<768x768xf32>, "", 0, 2359296, "ee30bd393c73c5a1bf9e90787d5b7b3e91df3ca7bfa07924c1bac2e18fb4c72e"> to memref<768x768xf32>
    %val_54 = loop.constant #opc.blob<tensor<768x768xf32>, "", 0, 2359296, "160487ba15a0181497b4ab938263745e6fba5b23a91ef7364f0601f061ddd9cc"> to memref<768x768xf32>
    %val_55 = loop.constant #opc.blob<tensor<768x3072xf32>, "", 0, 9437184, "9454dbb20a571c30afef82ce6eff4aa9677cd677791812d7ddba65a634bedf28"> to memref<768x3072xf32>
    %val_56 = loop.constant #opc.blob<tensor<3072x768xf32>, "", 0, 9437184, "506ce87f32af917aaa3a69adf4e93ed4ba02f892e643922e2476a2a876ae7c02"> to memref<3072x768xf32>
    %val_57 = loop.constant #opc.blob<tensor<768x768xf32>, "", 0, 2359296, "7553a345c5ccfe77bfcdcad6a401d67dc2aa3a10078f4bbc8b6d6106122b532f"> to memref<768x768xf32>
    %val_58 = loop.constant #opc.blob<tensor<768x768xf32>, "", 0, 2359296, "c2632af609e5de3f4ac7d47dc05d809c32a7ea1f417e892224a55a2abead2bb8"> to memref<768x768xf32>
    %val_59 = loop.constant #opc.blob<tensor<768x768xf32>, "", 0, 2359296, "ab25c1e045b5282da903bc51935ed2b199bbc53618ab0608aa284caa582bf39c"> to memref<768x768xf32>
    %val_60 = loop.constant #opc.blob<tensor<768x768xf32>, "", 0, 2359296, "8108773fcd4380b6a9ee8d848b9cc22d99afa0b7a8663362883f24e59c755f8e"> to memref<768x768xf32>
    %val_61 = loop.constant #opc.blob<tensor<768x3072xf32>, "", 0, 9437184, "266590b067bd3ea22bb60da2bb5c6febb733ecb25029f491f9c3c92d614bfcdf"> to memref<768x3072xf32>
    %val_62 = loop.constant #opc.blob<tensor<3072x768xf32>, "", 0, 9437184, "d57fa1e493df471e2380bbbee6c12bf2d43409ec6fb78993f1299022c7444895"> to memref<3072x768xf32>
    %val_63 = loop.constant #opc.blob<tensor<768x768xf32>, "", 0, 2359296, "45ab9d0c9091430518d3bffd79e512dd708f118ddb6189abb7edceb386499d6b"> to memref<768x768xf32>
    %val_64 = loop.constant #opc.blob<tensor<768x768xf32>, "", 0, 2359296, "5a7958d62b517f89166df9a60d1269e9b76dffa2c451cfd2ca06ced840058516"> to memref<768x768xf32>
    %val_65 = loop.constant #opc.blob<tensor<768x768xf32>, "", 0, 2359296, "50c5fce5325984cc4bc74ff01bb26caf8b9ea90c58bde3bf39c81f2de3a8ddf0"> to memref<768x768xf32>
    %val_66 = loop.constant #opc.blob<tensor<768x768xf32>, "", 0, 2359296, "4dbec3a63ea5bdda8185ccf12743137d9fb89769ef4b699fb45c500829ee1138"> to memref<768x768xf32>
    %val_67 = loop.constant #opc.blob<tensor<768x3072xf32>, "", 0, 9437184, "bb5a752588b492cc68fc2170ed71513510f9efee6882c9c9256bbe79ad5dcc55"> to memref<768x3072xf32>
    %val_68 = loop.constant #opc.blob<tensor<3072x768xf32>, "", 0, 9437184, "e2c8886f4077b810e9fc2257bec8553235afb32ce2767d7e7936291e042d83a8"> to memref<3072x768xf32>
    %val_69 = loop.constant #opc.blob<tensor<768x768xf32>, "", 0, 2359296, "32fd025589fedbe8aeae7035ae21997a8b4d20dfd6b0741052fe82fc31acbfc6"> to memref<768x768xf32>
    %val_70 = loop.constant #opc.blob<tensor<768x768xf32>, "", 0, 2359296, "ba83aa8d93ce6ebd7f6cae322f4f5d4a20f0615415104445e79d992428ea02d9"> to memref<768x768xf32>
    %val_71 = loop.constant #opc.blob<tensor<768x768xf32>, "", 0, 2359296, "48007f095392eb53b1890acd7dc83830aaad7112eeafdb2954613e1e3b1bd989"> to memref<768x768xf32>
    %val_72 = loop.constant #opc.blob<tensor<768x768xf32>, "", 0, 2359296, "b2c9d6f72922cc15ca739e7684f2a7a520753954982953129164c5d0a7d46a72"> to memref<768x768xf32>
    %val_73 = loop.constant #opc.blob<tensor<768x3072xf32>, "", 0, 9437184, "a0c9235d4c6772e5f1c915597c6e53839f0ae8bcffc6e11def306b1475f9afb6"> to memref<768x3072xf32>
    %val_74 = loop.constant #opc.blob<tensor<3072x768xf32>, "", 0, 9437184, "9d8d520383660c06560f8da903c051d71c7268ae20be2082341398339f76ddcd"> to memref<3072x768xf32>
    %val_75 = loop.constant #opc.blob<tensor<768x768xf32>, "", 0, 2359296, "7d6f44217d78d5937d2222217d24ce8c6880323c9485296049a6e9d20f63418d"> to memref<768x768xf32>
    %val_76 = loop.constant #opc.blob<tensor<768x768xf32>, "", 0, 2359296, "d3e968bb8bfaa6509172726e703bbc6f64d42fa2e8d0b59a0f0f9ef3b21b3944"> to memref<768x768xf32>
    %val_77 = loop.constant #opc.blob<tensor<768x768xf32>, "", 0, 2359296, "6820b4e4ed92d6de5e506f3fe1c35703240678d57a24b7f10c3a0b034907d24b"> to memref<768x768xf32>
    %val_78 = loop.constant #opc.blob<tensor<768x768xf32>, "", 0, 2359296, "0b2a7d6d89e0600ce89c671d62102c44e483c893e47a9c1a9fdbd569ff8bfab7"> to memref<768x768xf32>
    %val_79 = loop.constant #opc.blob<tensor<768x3072xf32>, "", 0, 9437184, "1552aaa7ec1a8a3320ba46773e76481c8f7673e2c9dba0c8c252b16efa22e333"> to memref<768x3072xf32>
    %val_80 = loop.constant #opc.blob<tensor<3072x768xf32>, "", 0, 9437184, "593bb3e11fd5f3692f3707e63840248bb35ccbb1741b336bcfbafa41cedf5713"> to memref<3072x768xf32>
    opc.require_range %x from <-8000> to <7999> "opc.gather: an index is outside of axis 0" : memref<?x?xi64, #opc.dims<batch, length>>
    kernel.nest [1, min(length, 512)] into (%slice) {
      %67 = kernel.load %66[d0, d1] : i64
      kernel.store %67 to 0[d0, d1]
      schedule.tree {
        schedule.for [d1] by 1 vector {
          schedule.run out
        }
      }
    }
    kernel.nest [batch, length] into (%_to_copy) {
      %68 = kernel.load %mask[d0, d1] : i64
      %69 = scalar.apply cast(%68) : i1
      kernel.store %69 to 0[d0, d1]
      schedule.tree {
        schedule.for [d0, d1] by 1 vector {
          schedule.run out
        }
      }
    }
    kernel.nest [batch, 1, 1, length] into (%val) {
      %70 = scalar.index <d0> : i64
      kernel.store %70 to 0[d0, d1, d2, d3]
      schedule.tree {
        schedule.for [d0] by 1 parallel {
          schedule.for [d3] by 1 vector {
            schedule.run out
          }
        }
      }
    }
    %val_81 = loop.view %val : memref<?x1x1x?x1xi64, #opc.dims<batch, 1, 1, length, 1>>
    kernel.nest [batch, 1, 1, length] into (%val_1) {
      %71 = scalar.index <d3> : i64
      kernel.store %71 to 0[d0, d1, d2, d3]
      schedule.tree {
        schedule.for [d0] by 1 parallel {
          schedule.for [d3] by 1 vector {
            schedule.run out
          }
        }
      }
    }
    %val_82 = loop.view %val_1 : memref<?x1x1x?x1xi64, #opc.dims<batch, 1, 1, length, 1>>
    kernel.nest [batch, length, 768] into (%embedding) {
      %72 = kernel.load %x[d0, d1] : i64
      %73 = scalar.constant 8000 : i64
      %74 = scalar.constant 0 : i64
      %75 = scalar.apply lt(%72, %74) : i1
      %76 = scalar.apply add(%72, %73) : i64
      %77 = scalar.apply select(%75, %76, %72) : i64
      %78 = kernel.gather %2[%77, d2] : f32
      kernel.store %78 to 0[d0, d1, d2]
    }
    opc.require_range %slice from <-512> to <511> "opc.gather: an index is outside of axis 0" : memref<1x?xi64, #opc.dims<1, min(length, 512)>>
    kernel.nest [batch, 1, 1, length] into (%val_2) {
      kernel.sweep [1] {
        %79 = kernel.load %val_81[d0, d1, d2, d3, d4] : i64
        kernel.store %79 to 0[d0, d1, d2, d3, d4]
        kernel.yield
      }
      kernel.sweep [1] {
        %80 = kernel.load %val_82[d0, d1, d2, d3, d4] : i64
        kernel.store %80 to 0[d0, d1, d2, d3, d4 + 1]
        kernel.yield
      }
      schedule.tree {
        schedule.for [d0, d3] by 256 parallel {
          schedule.pack_rows
          schedule.run sweep 0
          schedule.run sweep 1
          schedule.run out
        }
      }
    }
    kernel.nest [1, min(length, 512), 768] into (%embedding_1) {
      %81 = kernel.load %slice[d0, d1] : i64
      %82 = scalar.constant 512 : i64
      %83 = scalar.constant 0 : i64
      %84 = scalar.apply lt(%81, %83) : i1
      %85 = scalar.apply add(%81, %82) : i64
      %86 = scalar.apply select(%84, %85, %81) : i64
      %87 = kernel.gather %3[%86, d2] : f32
      kernel.store %87 to 0[d0, d1, d2]
    }
    kernel.nest [batch, 1, 1, length, 1] into (%0) {
      %88 = kernel.load %val_2[d0, d1, d2, d3, d4] : i64
      kernel.store %88 to 0[d0, d1, d2, d3, d4]
      schedule.tree {
        schedule.for [d0, d3] by 1 vector {
          schedule.run out
        }
      }
    }
    %89 = loop.view %0 : memref<?x1x1x?xi64, #opc.dims<batch, 1, 1, length>>
    kernel.nest [batch, 1, 1, length, 1] into (%1) {
      %90 = kernel.load %val_2[d0, d1, d2, d3, d4 + 1] : i64
      kernel.store %90 to 0[d0, d1, d2, d3, d4]
      schedule.tree {
        schedule.for [d0, d3] by 1 vector {
          schedule.run out
        }
      }
    }
    %91 = loop.view %1 : memref<?x1x1x?xi64, #opc.dims<batch, 1, 1, length>>
    opc.require_range %0 from <-batch> to <batch - 1> "opc.gather: an index is outside of axis 0" : memref<?x1x1x?x1xi64, #opc.dims<batch, 1, 1, length, 1>>
    opc.require_range %1 from <-length> to <length - 1> "opc.gather: an index is outside of axis 1" : memref<?x1x1x?x1xi64, #opc.dims<batch, 1, 1, length, 1>>
    kernel.nest [batch, bcast(length, min(length, 512))] into (%layer_norm) {
      %92 = kernel.sweep [768] lanes 64 (sum) {
        %93 = kernel.load %embedding[d0, d1*nonunit(length), d2] : f32
        %94 = kernel.load %embedding_1[0, d1*nonunit(min(length, 512)), d2] : f32
        %95 = scalar.apply add(%93, %94) : f32
        kernel.yield %95
      } : f32
      %96 = scalar.constant 7.680000e+02 : f32
      %97 = scalar.apply div(%92, %96) : f32
      %98 = kernel.sweep [768] lanes 64 (sum) {
        %99 = kernel.load %embedding[d0, d1*nonunit(length), d2] : f32
        %100 = kernel.load %embedding_1[0, d1*nonunit(min(length, 512)), d2] : f32
        %101 = scalar.apply add(%99, %100) : f32
        %102 = scalar.apply sub(%101, %97) : f32
        %103 = scalar.apply mul(%102, %102) : f32
        kernel.yield %103
      } : f32
      %104 = scalar.apply div(%98, %96) : f32
      %105 = scalar.constant 1.000000e-12 : f32
      %106 = scalar.apply add(%104, %105) : f32
      %107 = scalar.apply sqrt(%106) : f32
      kernel.sweep [768] {
        %108 = kernel.load %embedding[d0, d1*nonunit(length), d2] : f32
        %109 = kernel.load %embedding_1[0, d1*nonunit(min(length, 512)), d2] : f32
        %110 = scalar.apply add(%108, %109) : f32
        %111 = scalar.apply sub(%110, %97) : f32
        %112 = scalar.apply div(%111, %107) : f32
        %113 = kernel.load %4[d2] : f32
        %114 = scalar.apply mul(%112, %113) : f32
        %115 = kernel.load %5[d2] : f32
        %116 = scalar.apply add(%114, %115) : f32
        kernel.store %116 to 0[d0, d1, d2]
        kernel.yield
      }
      schedule.tree {
        schedule.for [d0] by 1 parallel {
          schedule.for [d1] by 1 serial {
            schedule.run sweep 0 groups
            schedule.run sweep 1 groups
            schedule.run sweep 2
            schedule.run out
          }
        }
      }
    }
    kernel.nest [batch, bcast(length, min(length, 512)), 768] into (%val_3) {
      %117 = kernel.sweep [768] (dot) {
        %118 = kernel.load %layer_norm[d0, d1, d3] : f32
        %119 = kernel.load %val_45[d3, d2] : f32
        %120 = scalar.apply mul(%118, %119) : f32
        kernel.yield %120
      } : f32
      kernel.store %117 to 0[d0, d1, d2]
      schedule.tree {
        schedule.pack right by 64
        schedule.for [d0, d1] by 170 parallel {
          schedule.pack left by 5
          schedule.for [d2] by 64 serial {
            schedule.for [d0, d1] by 5 serial {
              schedule.run start
              schedule.for [d3] by 512 serial {
                schedule.run init
                schedule.for [d3] by 1 serial {
                  schedule.for [d0, d1] by 1 unroll {
                    schedule.for [d2] by 16 vector {
                      schedule.run step
                    }
                  }
                }
                schedule.run finish
              }
              schedule.for [d0, d1] by 1 serial {
                schedule.for [d2] by 1 vector {
                  schedule.run out
                }
              }
            }
          }
        }
      }
    }
    kernel.nest [batch, bcast(length, min(length, 512)), 12, 64] into (%val_4) {
      %121 = kernel.sweep [768] (dot) {
        %122 = kernel.load %layer_norm[d0, d1, d4] : f32
        %123 = kernel.load %val_46[d4, d2*64 + d3] : f32
        %124 = scalar.apply mul(%122, %123) : f32
        kernel.yield %124
      } : f32
      kernel.store %121 to 0[d0, d1, d2*64 + d3]
      schedule.tree {
        schedule.pack right by 64
        schedule.for [d0, d1] by 170 parallel {
          schedule.pack left by 5
          schedule.for [d2, d3] by 64 serial {
            schedule.for [d0, d1] by 5 serial {
              schedule.run start
              schedule.for [d4] by 512 serial {
                schedule.run init
                schedule.for [d4] by 1 serial {
                  schedule.for [d0, d1] by 1 unroll {
                    schedule.for [d2, d3] by 16 vector {
                      schedule.run step
                    }
                  }
                }
                schedule.run finish
              }
              schedule.for [d0, d1] by 1 serial {
                schedule.for [d2, d3] by 1 vector {
                  schedule.run out
                }
              }
            }
          }
        }
      }
    }
    kernel.nest [batch, bcast(length, min(length, 512)), 768] into (%val_5) {
      %125 = kernel.sweep [768] (dot) {
        %126 = kernel.load %layer_norm[d0, d1, d3] : f32
        %127 = kernel.load %val_47[d3, d2] : f32
        %128 = scalar.apply mul(%126, %127) : f32
        kernel.yield %128
      } : f32
      kernel.store %125 to 0[d0, d1, d2]
      schedule.tree {
        schedule.pack right by 64
        schedule.for [d0, d1] by 170 parallel {
          schedule.pack left by 5
          schedule.for [d2] by 64 serial {
            schedule.for [d0, d1] by 5 serial {
              schedule.run start
              schedule.for [d3] by 512 serial {
                schedule.run init
                schedule.for [d3] by 1 serial {
                  schedule.for [d0, d1] by 1 unroll {
                    schedule.for [d2] by 16 vector {
                      schedule.run step
                    }
                  }
                }
                schedule.run finish
              }
              schedule.for [d0, d1] by 1 serial {
                schedule.for [d2] by 1 vector {
                  schedule.run out
                }
              }
            }
          }
        }
      }
    }
    kernel.nest [batch, floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64), length, 64] into (%transpose) {
      %129 = kernel.load %val_4[floordiv(d0*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length + d2*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64) + d1, bcast(length, min(length, 512))*12), mod(floordiv(d0*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length + d2*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64) + d1, 12), bcast(length, min(length, 512))), d3 + mod(d0*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length + d2*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64) + d1, 12)*64] : f32
      %130 = kernel.load %7[d3 + mod(d0*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length + d2*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64) + d1, 12)*64] : f32
      %131 = scalar.apply add(%129, %130) : f32
      kernel.store %131 to 0[d0, d1, d2, d3]
      schedule.tree {
        schedule.for [d0] by 1 parallel {
          schedule.for [d1] by 1 serial {
            schedule.for [d2] by 1 serial {
              schedule.for [d3] by 1 vector {
                schedule.run out
              }
            }
          }
        }
      }
    }
    kernel.nest [batch, 1, 1, length] into (%val_6) {
      %132 = kernel.load %89[d0, d1, d2, d3] : i64
      %133 = scalar.index <batch> : i64
      %134 = scalar.constant 0 : i64
      %135 = scalar.apply lt(%132, %134) : i1
      %136 = scalar.apply add(%132, %133) : i64
      %137 = scalar.apply select(%135, %136, %132) : i64
      %138 = kernel.load %91[d0, d1, d2, d3] : i64
      %139 = scalar.index <length> : i64
      %140 = scalar.constant 0 : i64
      %141 = scalar.apply lt(%138, %140) : i1
      %142 = scalar.apply add(%138, %139) : i64
      %143 = scalar.apply select(%141, %142, %138) : i64
      %144 = kernel.gather %_to_copy[%137, %143] : i1
      kernel.store %144 to 0[d0, d1, d2, d3]
    }
    kernel.nest [batch, floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64), length, length] into (%val_7) {
      %145 = scalar.constant 0.353553385 : f32
      %146 = kernel.sweep [64] (dot) {
        %147 = kernel.load %val_3[floordiv(d0*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length + d2*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64) + d1, bcast(length, min(length, 512))*12), mod(floordiv(d0*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length + d2*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64) + d1, 12), bcast(length, min(length, 512))), d4 + mod(d0*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length + d2*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64) + d1, 12)*64] : f32
        %148 = kernel.load %6[d4 + mod(d0*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length + d2*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64) + d1, 12)*64] : f32
        %149 = scalar.apply add(%147, %148) : f32
        %150 = scalar.apply mul(%149, %145) : f32
        %151 = kernel.load %transpose[d0, d1, d3, d4] : f32
        %152 = scalar.apply mul(%151, %145) : f32
        %153 = scalar.apply mul(%150, %152) : f32
        kernel.yield %153
      } : f32
      %154 = scalar.constant true
      %155 = scalar.index <d2> : i64
      %156 = scalar.constant 0 : i64
      %157 = scalar.apply ge(%155, %156) : i1
      %158 = scalar.apply and(%154, %157) : i1
      %159 = kernel.load %val_6[d0, 0, 0, d3] : i1
      %160 = scalar.apply and(%158, %159) : i1
      %161 = scalar.constant 0.000000e+00 : f32
      %162 = scalar.constant -3.40282347e+38 : f32
      %163 = scalar.apply select(%160, %161, %162) : f32
      %164 = scalar.apply add(%146, %163) : f32
      kernel.store %164 to 0[d0, d1, d2, d3]
      schedule.tree {
        schedule.pack right by 16
        schedule.for [d0] by 1 parallel {
          schedule.for [d1] by 1 parallel {
            schedule.for [d2] by 2046 parallel {
              schedule.pack left by 11
              schedule.for [d3] by 16 serial {
                schedule.for [d2] by 11 serial {
                  schedule.run init
                  schedule.for [d4] by 1 serial {
                    schedule.for [d2] by 1 unroll {
                      schedule.for [d3] by 16 vector {
                        schedule.run step
                      }
                    }
                  }
                  schedule.run finish
                  schedule.for [d2] by 1 serial {
                    schedule.for [d3] by 1 vector {
                      schedule.run out
                    }
                  }
                }
              }
            }
          }
        }
      }
    }
    kernel.nest [batch, floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64), length] into (%val_8) {
      %165 = kernel.sweep [length] (max_number) {
        %166 = kernel.load %val_7[d0, d1, d2, d3] : f32
        kernel.yield %166
      } : f32
      %167, %168 = kernel.sweep [length] lanes 64 (keep to 0[d0, d1, d2, d3], sum) {
        %169 = kernel.load %val_7[d0, d1, d2, d3] : f32
        %170 = scalar.apply sub(%165, %169) : f32
        %171 = scalar.apply exp_neg(%170) : f32
        kernel.yield %171, %171
      } : tensor<?xf32, #opc.dims<length>>, f32
      %172 = scalar.constant 0.000000e+00 : f32
      kernel.sweep [length] {
        %173 = kernel.load %167[d3] : f32
        %174 = scalar.apply div(%173, %168) : f32
        %175 = scalar.apply is_nan(%174) : i1
        %176 = scalar.apply select(%175, %172, %174) : f32
        kernel.store %176 to 0[d0, d1, d2, d3]
        kernel.yield
      }
      schedule.tree {
        schedule.if <-atleast(length, 33) + 1> {
          schedule.for [d0, d1, d2] by 64 parallel {
            schedule.pack_rows
            schedule.run sweep 0 padded
            schedule.run sweep 1 padded
            schedule.run sweep 2
            schedule.run out
          }
        } else {
          schedule.for [d0, d1, d2] by 64 parallel {
            schedule.pipeline [d0, d1, d2] sweep 1 by 64 {
              schedule.run sweep 0 lanes
              schedule.run sweep 1 strips
            } beside {
              schedule.run sweep 2
              schedule.run out
            }
          }
        }
      }
    }
    kernel.nest [batch, floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64), length, 64] into (%scaled_dot_product_attention) {
      %177 = kernel.sweep [length] (dot) {
        %178 = kernel.load %val_8[d0, d1, d2, d4] : f32
        %179 = kernel.load %val_5[floordiv(d0*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length + d4*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64) + d1, bcast(length, min(length, 512))*12), mod(floordiv(d0*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length + d4*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64) + d1, 12), bcast(length, min(length, 512))), d3 + mod(d0*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length + d4*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64) + d1, 12)*64] : f32
        %180 = kernel.load %8[d3 + mod(d0*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length + d4*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64) + d1, 12)*64] : f32
        %181 = scalar.apply add(%179, %180) : f32
        %182 = scalar.apply mul(%178, %181) : f32
        kernel.yield %182
      } : f32
      kernel.store %177 to 0[d0, d1, d2, d3]
      schedule.tree {
        schedule.pack left by 5
        schedule.pack right by 64
        schedule.for [d0] by 1 parallel {
          schedule.for [d1] by 1 parallel {
            schedule.for [d2] by 255 parallel {
              schedule.for [d3] by 64 serial {
                schedule.for [d2] by 5 serial {
                  schedule.run start
                  schedule.for [d4] by 512 serial {
                    schedule.run init
                    schedule.for [d4] by 1 serial {
                      schedule.for [d2] by 1 unroll {
                        schedule.for [d3] by 16 vector {
                          schedule.run step
                        }
                      }
                    }
                    schedule.run finish
                  }
                  schedule.for [d2] by 1 serial {
                    schedule.for [d3] by 1 vector {
                      schedule.run out
                    }
                  }
                }
              }
            }
          }
        }
      }
    }
    kernel.nest [batch, length, 768] into (%val_9) {
      %183 = kernel.sweep [floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*64] (dot) {
        %184 = kernel.load %scaled_dot_product_attention[d0, mod(floordiv(d3, 64), floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)), d1, mod(d3, 64)] : f32
        %185 = kernel.load %val_48[d3, d2] : f32
        %186 = scalar.apply mul(%184, %185) : f32
        kernel.yield %186
      } : f32
      kernel.store %183 to 0[d0, d1, d2]
      schedule.tree {
        schedule.pack left by 5
        schedule.pack right by 64
        schedule.for [d0] by 1 parallel {
          schedule.for [d1] by 255 parallel {
            schedule.for [d2] by 64 serial {
              schedule.for [d1] by 5 serial {
                schedule.run start
                schedule.for [d3] by 512 serial {
                  schedule.run init
                  schedule.for [d3] by 1 serial {
                    schedule.for [d1] by 1 unroll {
                      schedule.for [d2] by 16 vector {
                        schedule.run step
                      }
                    }
                  }
                  schedule.run finish
                }
                schedule.for [d1] by 1 serial {
                  schedule.for [d2] by 1 vector {
                    schedule.run out
                  }
                }
              }
            }
          }
        }
      }
    }
    kernel.nest [batch, bcast(length, min(length, 512))] into (%layer_norm) {
      %187 = kernel.sweep [768] lanes 64 (sum) {
        %188 = kernel.load %val_9[d0, d1*nonunit(length), d2] : f32
        %189 = kernel.load %9[d2] : f32
        %190 = scalar.apply add(%188, %189) : f32
        %191 = kernel.load %layer_norm[d0, d1, d2] : f32
        %192 = scalar.apply add(%190, %191) : f32
        kernel.yield %192
      } : f32
      %193 = scalar.constant 7.680000e+02 : f32
      %194 = scalar.apply div(%187, %193) : f32
      %195 = kernel.sweep [768] lanes 64 (sum) {
        %196 = kernel.load %val_9[d0, d1*nonunit(length), d2] : f32
        %197 = kernel.load %9[d2] : f32
        %198 = scalar.apply add(%196, %197) : f32
        %199 = kernel.load %layer_norm[d0, d1, d2] : f32
        %200 = scalar.apply add(%198, %199) : f32
        %201 = scalar.apply sub(%200, %194) : f32
        %202 = scalar.apply mul(%201, %201) : f32
        kernel.yield %202
      } : f32
      %203 = scalar.apply div(%195, %193) : f32
      %204 = scalar.constant 1.000000e-12 : f32
      %205 = scalar.apply add(%203, %204) : f32
      %206 = scalar.apply sqrt(%205) : f32
      kernel.sweep [768] {
        %207 = kernel.load %val_9[d0, d1*nonunit(length), d2] : f32
        %208 = kernel.load %9[d2] : f32
        %209 = scalar.apply add(%207, %208) : f32
        %210 = kernel.load %layer_norm[d0, d1, d2] : f32
        %211 = scalar.apply add(%209, %210) : f32
        %212 = scalar.apply sub(%211, %194) : f32
        %213 = scalar.apply div(%212, %206) : f32
        %214 = kernel.load %10[d2] : f32
        %215 = scalar.apply mul(%213, %214) : f32
        %216 = kernel.load %11[d2] : f32
        %217 = scalar.apply add(%215, %216) : f32
        kernel.store %217 to 0[d0, d1, d2]
        kernel.yield
      }
      schedule.tree {
        schedule.for [d0] by 1 parallel {
          schedule.for [d1] by 1 serial {
            schedule.run sweep 0 groups
            schedule.run sweep 1 groups
            schedule.run sweep 2
            schedule.run out
          }
        }
      }
    }
    kernel.nest [batch, bcast(length, min(length, 512)), 3072] into (%gelu) {
      %218 = kernel.sweep [768] (dot) {
        %219 = kernel.load %layer_norm[d0, d1, d3] : f32
        %220 = kernel.load %val_49[d3, d2] : f32
        %221 = scalar.apply mul(%219, %220) : f32
        kernel.yield %221
      } : f32
      %222 = kernel.load %12[d2] : f32
      %223 = scalar.apply add(%218, %222) : f32
      %224 = scalar.apply gelu(%223) : f32
      kernel.store %224 to 0[d0, d1, d2]
      schedule.tree {
        schedule.pack right by 64
        schedule.for [d0, d1] by 170 parallel {
          schedule.pack left by 5
          schedule.for [d2] by 64 serial {
            schedule.for [d0, d1] by 5 serial {
              schedule.run start
              schedule.for [d3] by 512 serial {
                schedule.run init
                schedule.for [d3] by 1 serial {
                  schedule.for [d0, d1] by 1 unroll {
                    schedule.for [d2] by 16 vector {
                      schedule.run step
                    }
                  }
                }
                schedule.run finish
              }
              schedule.for [d0, d1] by 1 serial {
                schedule.for [d2] by 1 vector {
                  schedule.run out
                }
              }
            }
          }
        }
      }
    }
    kernel.nest [batch, bcast(length, min(length, 512)), 768] into (%val_16) {
      %225 = kernel.sweep [3072] (dot) {
        %226 = kernel.load %gelu[d0, d1, d3] : f32
        %227 = kernel.load %val_50[d3, d2] : f32
        %228 = scalar.apply mul(%226, %227) : f32
        kernel.yield %228
      } : f32
      kernel.store %225 to 0[d0, d1, d2]
      schedule.tree {
        schedule.pack right by 64
        schedule.for [d0, d1] by 40 parallel {
          schedule.pack left by 5
          schedule.for [d2] by 64 serial {
            schedule.for [d0, d1] by 5 serial {
              schedule.run start
              schedule.for [d3] by 512 serial {
                schedule.run init
                schedule.for [d3] by 1 serial {
                  schedule.for [d0, d1] by 1 unroll {
                    schedule.for [d2] by 16 vector {
                      schedule.run step
                    }
                  }
                }
                schedule.run finish
              }
              schedule.for [d0, d1] by 1 serial {
                schedule.for [d2] by 1 vector {
                  schedule.run out
                }
              }
            }
          }
        }
      }
    }
    kernel.nest [batch, bcast(length, min(length, 512))] into (%val_16) {
      %229 = kernel.sweep [768] lanes 64 (sum) {
        %230 = kernel.load %val_16[d0, d1, d2] : f32
        %231 = kernel.load %13[d2] : f32
        %232 = scalar.apply add(%230, %231) : f32
        %233 = kernel.load %layer_norm[d0, d1, d2] : f32
        %234 = scalar.apply add(%232, %233) : f32
        kernel.yield %234
      } : f32
      %235 = scalar.constant 7.680000e+02 : f32
      %236 = scalar.apply div(%229, %235) : f32
      %237 = kernel.sweep [768] lanes 64 (sum) {
        %238 = kernel.load %val_16[d0, d1, d2] : f32
        %239 = kernel.load %13[d2] : f32
        %240 = scalar.apply add(%238, %239) : f32
        %241 = kernel.load %layer_norm[d0, d1, d2] : f32
        %242 = scalar.apply add(%240, %241) : f32
        %243 = scalar.apply sub(%242, %236) : f32
        %244 = scalar.apply mul(%243, %243) : f32
        kernel.yield %244
      } : f32
      %245 = scalar.apply div(%237, %235) : f32
      %246 = scalar.constant 1.000000e-12 : f32
      %247 = scalar.apply add(%245, %246) : f32
      %248 = scalar.apply sqrt(%247) : f32
      kernel.sweep [768] {
        %249 = kernel.load %val_16[d0, d1, d2] : f32
        %250 = kernel.load %13[d2] : f32
        %251 = scalar.apply add(%249, %250) : f32
        %252 = kernel.load %layer_norm[d0, d1, d2] : f32
        %253 = scalar.apply add(%251, %252) : f32
        %254 = scalar.apply sub(%253, %236) : f32
        %255 = scalar.apply div(%254, %248) : f32
        %256 = kernel.load %14[d2] : f32
        %257 = scalar.apply mul(%255, %256) : f32
        %258 = kernel.load %15[d2] : f32
        %259 = scalar.apply add(%257, %258) : f32
        kernel.store %259 to 0[d0, d1, d2]
        kernel.yield
      }
      schedule.tree {
        schedule.for [d0, d1] by 1 parallel {
          schedule.run sweep 0 groups
          schedule.run sweep 1 groups
          schedule.run sweep 2
          schedule.run out
        }
      }
    }
    kernel.nest [batch, bcast(length, min(length, 512)), 768] into (%val_10) {
      %260 = kernel.sweep [768] (dot) {
        %261 = kernel.load %val_16[d0, d1, d3] : f32
        %262 = kernel.load %val_51[d3, d2] : f32
        %263 = scalar.apply mul(%261, %262) : f32
        kernel.yield %263
      } : f32
      kernel.store %260 to 0[d0, d1, d2]
      schedule.tree {
        schedule.pack right by 64
        schedule.for [d0, d1] by 170 parallel {
          schedule.pack left by 5
          schedule.for [d2] by 64 serial {
            schedule.for [d0, d1] by 5 serial {
              schedule.run start
              schedule.for [d3] by 512 serial {
                schedule.run init
                schedule.for [d3] by 1 serial {
                  schedule.for [d0, d1] by 1 unroll {
                    schedule.for [d2] by 16 vector {
                      schedule.run step
                    }
                  }
                }
                schedule.run finish
              }
              schedule.for [d0, d1] by 1 serial {
                schedule.for [d2] by 1 vector {
                  schedule.run out
                }
              }
            }
          }
        }
      }
    }
    kernel.nest [batch, bcast(length, min(length, 512)), 12, 64] into (%val_11) {
      %264 = kernel.sweep [768] (dot) {
        %265 = kernel.load %val_16[d0, d1, d4] : f32
        %266 = kernel.load %val_52[d4, d2*64 + d3] : f32
        %267 = scalar.apply mul(%265, %266) : f32
        kernel.yield %267
      } : f32
      kernel.store %264 to 0[d0, d1, d2*64 + d3]
      schedule.tree {
        schedule.pack right by 64
        schedule.for [d0, d1] by 170 parallel {
          schedule.pack left by 5
          schedule.for [d2, d3] by 64 serial {
            schedule.for [d0, d1] by 5 serial {
              schedule.run start
              schedule.for [d4] by 512 serial {
                schedule.run init
                schedule.for [d4] by 1 serial {
                  schedule.for [d0, d1] by 1 unroll {
                    schedule.for [d2, d3] by 16 vector {
                      schedule.run step
                    }
                  }
                }
                schedule.run finish
              }
              schedule.for [d0, d1] by 1 serial {
                schedule.for [d2, d3] by 1 vector {
                  schedule.run out
                }
              }
            }
          }
        }
      }
    }
    kernel.nest [batch, bcast(length, min(length, 512)), 768] into (%val_12) {
      %268 = kernel.sweep [768] (dot) {
        %269 = kernel.load %val_16[d0, d1, d3] : f32
        %270 = kernel.load %val_53[d3, d2] : f32
        %271 = scalar.apply mul(%269, %270) : f32
        kernel.yield %271
      } : f32
      kernel.store %268 to 0[d0, d1, d2]
      schedule.tree {
        schedule.pack right by 64
        schedule.for [d0, d1] by 170 parallel {
          schedule.pack left by 5
          schedule.for [d2] by 64 serial {
            schedule.for [d0, d1] by 5 serial {
              schedule.run start
              schedule.for [d3] by 512 serial {
                schedule.run init
                schedule.for [d3] by 1 serial {
                  schedule.for [d0, d1] by 1 unroll {
                    schedule.for [d2] by 16 vector {
                      schedule.run step
                    }
                  }
                }
                schedule.run finish
              }
              schedule.for [d0, d1] by 1 serial {
                schedule.for [d2] by 1 vector {
                  schedule.run out
                }
              }
            }
          }
        }
      }
    }
    kernel.nest [batch, floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64), length, 64] into (%transpose_1) {
      %272 = kernel.load %val_11[floordiv(d0*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length + d2*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64) + d1, bcast(length, min(length, 512))*12), mod(floordiv(d0*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length + d2*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64) + d1, 12), bcast(length, min(length, 512))), d3 + mod(d0*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length + d2*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64) + d1, 12)*64] : f32
      %273 = kernel.load %17[d3 + mod(d0*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length + d2*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64) + d1, 12)*64] : f32
      %274 = scalar.apply add(%272, %273) : f32
      kernel.store %274 to 0[d0, d1, d2, d3]
      schedule.tree {
        schedule.for [d0] by 1 parallel {
          schedule.for [d1] by 1 serial {
            schedule.for [d2] by 1 serial {
              schedule.for [d3] by 1 vector {
                schedule.run out
              }
            }
          }
        }
      }
    }
    kernel.nest [batch, floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64), length, length] into (%val_13) {
      %275 = scalar.constant 0.353553385 : f32
      %276 = kernel.sweep [64] (dot) {
        %277 = kernel.load %val_10[floordiv(d0*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length + d2*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64) + d1, bcast(length, min(length, 512))*12), mod(floordiv(d0*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length + d2*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64) + d1, 12), bcast(length, min(length, 512))), d4 + mod(d0*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length + d2*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64) + d1, 12)*64] : f32
        %278 = kernel.load %16[d4 + mod(d0*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length + d2*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64) + d1, 12)*64] : f32
        %279 = scalar.apply add(%277, %278) : f32
        %280 = scalar.apply mul(%279, %275) : f32
        %281 = kernel.load %transpose_1[d0, d1, d3, d4] : f32
        %282 = scalar.apply mul(%281, %275) : f32
        %283 = scalar.apply mul(%280, %282) : f32
        kernel.yield %283
      } : f32
      %284 = scalar.constant true
      %285 = scalar.index <d2> : i64
      %286 = scalar.constant 0 : i64
      %287 = scalar.apply ge(%285, %286) : i1
      %288 = scalar.apply and(%284, %287) : i1
      %289 = kernel.load %val_6[d0, 0, 0, d3] : i1
      %290 = scalar.apply and(%288, %289) : i1
      %291 = scalar.constant 0.000000e+00 : f32
      %292 = scalar.constant -3.40282347e+38 : f32
      %293 = scalar.apply select(%290, %291, %292) : f32
      %294 = scalar.apply add(%276, %293) : f32
      kernel.store %294 to 0[d0, d1, d2, d3]
      schedule.tree {
        schedule.pack right by 16
        schedule.for [d0] by 1 parallel {
          schedule.for [d1] by 1 parallel {
            schedule.for [d2] by 2046 parallel {
              schedule.pack left by 11
              schedule.for [d3] by 16 serial {
                schedule.for [d2] by 11 serial {
                  schedule.run init
                  schedule.for [d4] by 1 serial {
                    schedule.for [d2] by 1 unroll {
                      schedule.for [d3] by 16 vector {
                        schedule.run step
                      }
                    }
                  }
                  schedule.run finish
                  schedule.for [d2] by 1 serial {
                    schedule.for [d3] by 1 vector {
                      schedule.run out
                    }
                  }
                }
              }
            }
          }
        }
      }
    }
    kernel.nest [batch, floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64), length] into (%val_14) {
      %295 = kernel.sweep [length] (max_number) {
        %296 = kernel.load %val_13[d0, d1, d2, d3] : f32
        kernel.yield %296
      } : f32
      %297, %298 = kernel.sweep [length] lanes 64 (keep to 0[d0, d1, d2, d3], sum) {
        %299 = kernel.load %val_13[d0, d1, d2, d3] : f32
        %300 = scalar.apply sub(%295, %299) : f32
        %301 = scalar.apply exp_neg(%300) : f32
        kernel.yield %301, %301
      } : tensor<?xf32, #opc.dims<length>>, f32
      %302 = scalar.constant 0.000000e+00 : f32
      kernel.sweep [length] {
        %303 = kernel.load %297[d3] : f32
        %304 = scalar.apply div(%303, %298) : f32
        %305 = scalar.apply is_nan(%304) : i1
        %306 = scalar.apply select(%305, %302, %304) : f32
        kernel.store %306 to 0[d0, d1, d2, d3]
        kernel.yield
      }
      schedule.tree {
        schedule.if <-atleast(length, 33) + 1> {
          schedule.for [d0, d1, d2] by 64 parallel {
            schedule.pack_rows
            schedule.run sweep 0 padded
            schedule.run sweep 1 padded
            schedule.run sweep 2
            schedule.run out
          }
        } else {
          schedule.for [d0, d1, d2] by 64 parallel {
            schedule.pipeline [d0, d1, d2] sweep 1 by 64 {
              schedule.run sweep 0 lanes
              schedule.run sweep 1 strips
            } beside {
              schedule.run sweep 2
              schedule.run out
            }
          }
        }
      }
    }
    kernel.nest [batch, floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64), length, 64] into (%scaled_dot_product_attention_1) {
      %307 = kernel.sweep [length] (dot) {
        %308 = kernel.load %val_14[d0, d1, d2, d4] : f32
        %309 = kernel.load %val_12[floordiv(d0*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length + d4*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64) + d1, bcast(length, min(length, 512))*12), mod(floordiv(d0*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length + d4*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64) + d1, 12), bcast(length, min(length, 512))), d3 + mod(d0*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length + d4*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64) + d1, 12)*64] : f32
        %310 = kernel.load %18[d3 + mod(d0*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length + d4*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64) + d1, 12)*64] : f32
        %311 = scalar.apply add(%309, %310) : f32
        %312 = scalar.apply mul(%308, %311) : f32
        kernel.yield %312
      } : f32
      kernel.store %307 to 0[d0, d1, d2, d3]
      schedule.tree {
        schedule.pack left by 5
        schedule.pack right by 64
        schedule.for [d0] by 1 parallel {
          schedule.for [d1] by 1 parallel {
            schedule.for [d2] by 255 parallel {
              schedule.for [d3] by 64 serial {
                schedule.for [d2] by 5 serial {
                  schedule.run start
                  schedule.for [d4] by 512 serial {
                    schedule.run init
                    schedule.for [d4] by 1 serial {
                      schedule.for [d2] by 1 unroll {
                        schedule.for [d3] by 16 vector {
                          schedule.run step
                        }
                      }
                    }
                    schedule.run finish
                  }
                  schedule.for [d2] by 1 serial {
                    schedule.for [d3] by 1 vector {
                      schedule.run out
                    }
                  }
                }
              }
            }
          }
        }
      }
    }
    kernel.nest [batch, length, 768] into (%val_15) {
      %313 = kernel.sweep [floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*64] (dot) {
        %314 = kernel.load %scaled_dot_product_attention_1[d0, mod(floordiv(d3, 64), floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)), d1, mod(d3, 64)] : f32
        %315 = kernel.load %val_54[d3, d2] : f32
        %316 = scalar.apply mul(%314, %315) : f32
        kernel.yield %316
      } : f32
      kernel.store %313 to 0[d0, d1, d2]
      schedule.tree {
        schedule.pack left by 5
        schedule.pack right by 64
        schedule.for [d0] by 1 parallel {
          schedule.for [d1] by 255 parallel {
            schedule.for [d2] by 64 serial {
              schedule.for [d1] by 5 serial {
                schedule.run start
                schedule.for [d3] by 512 serial {
                  schedule.run init
                  schedule.for [d3] by 1 serial {
                    schedule.for [d1] by 1 unroll {
                      schedule.for [d2] by 16 vector {
                        schedule.run step
                      }
                    }
                  }
                  schedule.run finish
                }
                schedule.for [d1] by 1 serial {
                  schedule.for [d2] by 1 vector {
                    schedule.run out
                  }
                }
              }
            }
          }
        }
      }
    }
    kernel.nest [batch, bcast(length, min(length, 512))] into (%val_16) {
      %317 = kernel.sweep [768] lanes 64 (sum) {
        %318 = kernel.load %val_15[d0, d1*nonunit(length), d2] : f32
        %319 = kernel.load %19[d2] : f32
        %320 = scalar.apply add(%318, %319) : f32
        %321 = kernel.load %val_16[d0, d1, d2] : f32
        %322 = scalar.apply add(%320, %321) : f32
        kernel.yield %322
      } : f32
      %323 = scalar.constant 7.680000e+02 : f32
      %324 = scalar.apply div(%317, %323) : f32
      %325 = kernel.sweep [768] lanes 64 (sum) {
        %326 = kernel.load %val_15[d0, d1*nonunit(length), d2] : f32
        %327 = kernel.load %19[d2] : f32
        %328 = scalar.apply add(%326, %327) : f32
        %329 = kernel.load %val_16[d0, d1, d2] : f32
        %330 = scalar.apply add(%328, %329) : f32
        %331 = scalar.apply sub(%330, %324) : f32
        %332 = scalar.apply mul(%331, %331) : f32
        kernel.yield %332
      } : f32
      %333 = scalar.apply div(%325, %323) : f32
      %334 = scalar.constant 1.000000e-12 : f32
      %335 = scalar.apply add(%333, %334) : f32
      %336 = scalar.apply sqrt(%335) : f32
      kernel.sweep [768] {
        %337 = kernel.load %val_15[d0, d1*nonunit(length), d2] : f32
        %338 = kernel.load %19[d2] : f32
        %339 = scalar.apply add(%337, %338) : f32
        %340 = kernel.load %val_16[d0, d1, d2] : f32
        %341 = scalar.apply add(%339, %340) : f32
        %342 = scalar.apply sub(%341, %324) : f32
        %343 = scalar.apply div(%342, %336) : f32
        %344 = kernel.load %20[d2] : f32
        %345 = scalar.apply mul(%343, %344) : f32
        %346 = kernel.load %21[d2] : f32
        %347 = scalar.apply add(%345, %346) : f32
        kernel.store %347 to 0[d0, d1, d2]
        kernel.yield
      }
      schedule.tree {
        schedule.for [d0] by 1 parallel {
          schedule.for [d1] by 1 serial {
            schedule.run sweep 0 groups
            schedule.run sweep 1 groups
            schedule.run sweep 2
            schedule.run out
          }
        }
      }
    }
    kernel.nest [batch, bcast(length, min(length, 512)), 3072] into (%gelu_1) {
      %348 = kernel.sweep [768] (dot) {
        %349 = kernel.load %val_16[d0, d1, d3] : f32
        %350 = kernel.load %val_55[d3, d2] : f32
        %351 = scalar.apply mul(%349, %350) : f32
        kernel.yield %351
      } : f32
      %352 = kernel.load %22[d2] : f32
      %353 = scalar.apply add(%348, %352) : f32
      %354 = scalar.apply gelu(%353) : f32
      kernel.store %354 to 0[d0, d1, d2]
      schedule.tree {
        schedule.pack right by 64
        schedule.for [d0, d1] by 170 parallel {
          schedule.pack left by 5
          schedule.for [d2] by 64 serial {
            schedule.for [d0, d1] by 5 serial {
              schedule.run start
              schedule.for [d3] by 512 serial {
                schedule.run init
                schedule.for [d3] by 1 serial {
                  schedule.for [d0, d1] by 1 unroll {
                    schedule.for [d2] by 16 vector {
                      schedule.run step
                    }
                  }
                }
                schedule.run finish
              }
              schedule.for [d0, d1] by 1 serial {
                schedule.for [d2] by 1 vector {
                  schedule.run out
                }
              }
            }
          }
        }
      }
    }
    kernel.nest [batch, bcast(length, min(length, 512)), 768] into (%val_23) {
      %355 = kernel.sweep [3072] (dot) {
        %356 = kernel.load %gelu_1[d0, d1, d3] : f32
        %357 = kernel.load %val_56[d3, d2] : f32
        %358 = scalar.apply mul(%356, %357) : f32
        kernel.yield %358
      } : f32
      kernel.store %355 to 0[d0, d1, d2]
      schedule.tree {
        schedule.pack right by 64
        schedule.for [d0, d1] by 40 parallel {
          schedule.pack left by 5
          schedule.for [d2] by 64 serial {
            schedule.for [d0, d1] by 5 serial {
              schedule.run start
              schedule.for [d3] by 512 serial {
                schedule.run init
                schedule.for [d3] by 1 serial {
                  schedule.for [d0, d1] by 1 unroll {
                    schedule.for [d2] by 16 vector {
                      schedule.run step
                    }
                  }
                }
                schedule.run finish
              }
              schedule.for [d0, d1] by 1 serial {
                schedule.for [d2] by 1 vector {
                  schedule.run out
                }
              }
            }
          }
        }
      }
    }
    kernel.nest [batch, bcast(length, min(length, 512))] into (%val_23) {
      %359 = kernel.sweep [768] lanes 64 (sum) {
        %360 = kernel.load %val_23[d0, d1, d2] : f32
        %361 = kernel.load %23[d2] : f32
        %362 = scalar.apply add(%360, %361) : f32
        %363 = kernel.load %val_16[d0, d1, d2] : f32
        %364 = scalar.apply add(%362, %363) : f32
        kernel.yield %364
      } : f32
      %365 = scalar.constant 7.680000e+02 : f32
      %366 = scalar.apply div(%359, %365) : f32
      %367 = kernel.sweep [768] lanes 64 (sum) {
        %368 = kernel.load %val_23[d0, d1, d2] : f32
        %369 = kernel.load %23[d2] : f32
        %370 = scalar.apply add(%368, %369) : f32
        %371 = kernel.load %val_16[d0, d1, d2] : f32
        %372 = scalar.apply add(%370, %371) : f32
        %373 = scalar.apply sub(%372, %366) : f32
        %374 = scalar.apply mul(%373, %373) : f32
        kernel.yield %374
      } : f32
      %375 = scalar.apply div(%367, %365) : f32
      %376 = scalar.constant 1.000000e-12 : f32
      %377 = scalar.apply add(%375, %376) : f32
      %378 = scalar.apply sqrt(%377) : f32
      kernel.sweep [768] {
        %379 = kernel.load %val_23[d0, d1, d2] : f32
        %380 = kernel.load %23[d2] : f32
        %381 = scalar.apply add(%379, %380) : f32
        %382 = kernel.load %val_16[d0, d1, d2] : f32
        %383 = scalar.apply add(%381, %382) : f32
        %384 = scalar.apply sub(%383, %366) : f32
        %385 = scalar.apply div(%384, %378) : f32
        %386 = kernel.load %24[d2] : f32
        %387 = scalar.apply mul(%385, %386) : f32
        %388 = kernel.load %25[d2] : f32
        %389 = scalar.apply add(%387, %388) : f32
        kernel.store %389 to 0[d0, d1, d2]
        kernel.yield
      }
      schedule.tree {
        schedule.for [d0, d1] by 1 parallel {
          schedule.run sweep 0 groups
          schedule.run sweep 1 groups
          schedule.run sweep 2
          schedule.run out
        }
      }
    }
    kernel.nest [batch, bcast(length, min(length, 512)), 768] into (%val_17) {
      %390 = kernel.sweep [768] (dot) {
        %391 = kernel.load %val_23[d0, d1, d3] : f32
        %392 = kernel.load %val_57[d3, d2] : f32
        %393 = scalar.apply mul(%391, %392) : f32
        kernel.yield %393
      } : f32
      kernel.store %390 to 0[d0, d1, d2]
      schedule.tree {
        schedule.pack right by 64
        schedule.for [d0, d1] by 170 parallel {
          schedule.pack left by 5
          schedule.for [d2] by 64 serial {
            schedule.for [d0, d1] by 5 serial {
              schedule.run start
              schedule.for [d3] by 512 serial {
                schedule.run init
                schedule.for [d3] by 1 serial {
                  schedule.for [d0, d1] by 1 unroll {
                    schedule.for [d2] by 16 vector {
                      schedule.run step
                    }
                  }
                }
                schedule.run finish
              }
              schedule.for [d0, d1] by 1 serial {
                schedule.for [d2] by 1 vector {
                  schedule.run out
                }
              }
            }
          }
        }
      }
    }
    kernel.nest [batch, bcast(length, min(length, 512)), 12, 64] into (%val_18) {
      %394 = kernel.sweep [768] (dot) {
        %395 = kernel.load %val_23[d0, d1, d4] : f32
        %396 = kernel.load %val_58[d4, d2*64 + d3] : f32
        %397 = scalar.apply mul(%395, %396) : f32
        kernel.yield %397
      } : f32
      kernel.store %394 to 0[d0, d1, d2*64 + d3]
      schedule.tree {
        schedule.pack right by 64
        schedule.for [d0, d1] by 170 parallel {
          schedule.pack left by 5
          schedule.for [d2, d3] by 64 serial {
            schedule.for [d0, d1] by 5 serial {
              schedule.run start
              schedule.for [d4] by 512 serial {
                schedule.run init
                schedule.for [d4] by 1 serial {
                  schedule.for [d0, d1] by 1 unroll {
                    schedule.for [d2, d3] by 16 vector {
                      schedule.run step
                    }
                  }
                }
                schedule.run finish
              }
              schedule.for [d0, d1] by 1 serial {
                schedule.for [d2, d3] by 1 vector {
                  schedule.run out
                }
              }
            }
          }
        }
      }
    }
    kernel.nest [batch, bcast(length, min(length, 512)), 768] into (%val_19) {
      %398 = kernel.sweep [768] (dot) {
        %399 = kernel.load %val_23[d0, d1, d3] : f32
        %400 = kernel.load %val_59[d3, d2] : f32
        %401 = scalar.apply mul(%399, %400) : f32
        kernel.yield %401
      } : f32
      kernel.store %398 to 0[d0, d1, d2]
      schedule.tree {
        schedule.pack right by 64
        schedule.for [d0, d1] by 170 parallel {
          schedule.pack left by 5
          schedule.for [d2] by 64 serial {
            schedule.for [d0, d1] by 5 serial {
              schedule.run start
              schedule.for [d3] by 512 serial {
                schedule.run init
                schedule.for [d3] by 1 serial {
                  schedule.for [d0, d1] by 1 unroll {
                    schedule.for [d2] by 16 vector {
                      schedule.run step
                    }
                  }
                }
                schedule.run finish
              }
              schedule.for [d0, d1] by 1 serial {
                schedule.for [d2] by 1 vector {
                  schedule.run out
                }
              }
            }
          }
        }
      }
    }
    kernel.nest [batch, floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64), length, 64] into (%transpose_2) {
      %402 = kernel.load %val_18[floordiv(d0*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length + d2*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64) + d1, bcast(length, min(length, 512))*12), mod(floordiv(d0*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length + d2*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64) + d1, 12), bcast(length, min(length, 512))), d3 + mod(d0*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length + d2*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64) + d1, 12)*64] : f32
      %403 = kernel.load %27[d3 + mod(d0*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length + d2*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64) + d1, 12)*64] : f32
      %404 = scalar.apply add(%402, %403) : f32
      kernel.store %404 to 0[d0, d1, d2, d3]
      schedule.tree {
        schedule.for [d0] by 1 parallel {
          schedule.for [d1] by 1 serial {
            schedule.for [d2] by 1 serial {
              schedule.for [d3] by 1 vector {
                schedule.run out
              }
            }
          }
        }
      }
    }
    kernel.nest [batch, floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64), length, length] into (%val_20) {
      %405 = scalar.constant 0.353553385 : f32
      %406 = kernel.sweep [64] (dot) {
        %407 = kernel.load %val_17[floordiv(d0*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length + d2*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64) + d1, bcast(length, min(length, 512))*12), mod(floordiv(d0*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length + d2*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64) + d1, 12), bcast(length, min(length, 512))), d4 + mod(d0*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length + d2*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64) + d1, 12)*64] : f32
        %408 = kernel.load %26[d4 + mod(d0*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length + d2*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64) + d1, 12)*64] : f32
        %409 = scalar.apply add(%407, %408) : f32
        %410 = scalar.apply mul(%409, %405) : f32
        %411 = kernel.load %transpose_2[d0, d1, d3, d4] : f32
        %412 = scalar.apply mul(%411, %405) : f32
        %413 = scalar.apply mul(%410, %412) : f32
        kernel.yield %413
      } : f32
      %414 = scalar.constant true
      %415 = scalar.index <d2> : i64
      %416 = scalar.constant 0 : i64
      %417 = scalar.apply ge(%415, %416) : i1
      %418 = scalar.apply and(%414, %417) : i1
      %419 = kernel.load %val_6[d0, 0, 0, d3] : i1
      %420 = scalar.apply and(%418, %419) : i1
      %421 = scalar.constant 0.000000e+00 : f32
      %422 = scalar.constant -3.40282347e+38 : f32
      %423 = scalar.apply select(%420, %421, %422) : f32
      %424 = scalar.apply add(%406, %423) : f32
      kernel.store %424 to 0[d0, d1, d2, d3]
      schedule.tree {
        schedule.pack right by 16
        schedule.for [d0] by 1 parallel {
          schedule.for [d1] by 1 parallel {
            schedule.for [d2] by 2046 parallel {
              schedule.pack left by 11
              schedule.for [d3] by 16 serial {
                schedule.for [d2] by 11 serial {
                  schedule.run init
                  schedule.for [d4] by 1 serial {
                    schedule.for [d2] by 1 unroll {
                      schedule.for [d3] by 16 vector {
                        schedule.run step
                      }
                    }
                  }
                  schedule.run finish
                  schedule.for [d2] by 1 serial {
                    schedule.for [d3] by 1 vector {
                      schedule.run out
                    }
                  }
                }
              }
            }
          }
        }
      }
    }
    kernel.nest [batch, floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64), length] into (%val_21) {
      %425 = kernel.sweep [length] (max_number) {
        %426 = kernel.load %val_20[d0, d1, d2, d3] : f32
        kernel.yield %426
      } : f32
      %427, %428 = kernel.sweep [length] lanes 64 (keep to 0[d0, d1, d2, d3], sum) {
        %429 = kernel.load %val_20[d0, d1, d2, d3] : f32
        %430 = scalar.apply sub(%425, %429) : f32
        %431 = scalar.apply exp_neg(%430) : f32
        kernel.yield %431, %431
      } : tensor<?xf32, #opc.dims<length>>, f32
      %432 = scalar.constant 0.000000e+00 : f32
      kernel.sweep [length] {
        %433 = kernel.load %427[d3] : f32
        %434 = scalar.apply div(%433, %428) : f32
        %435 = scalar.apply is_nan(%434) : i1
        %436 = scalar.apply select(%435, %432, %434) : f32
        kernel.store %436 to 0[d0, d1, d2, d3]
        kernel.yield
      }
      schedule.tree {
        schedule.if <-atleast(length, 33) + 1> {
          schedule.for [d0, d1, d2] by 64 parallel {
            schedule.pack_rows
            schedule.run sweep 0 padded
            schedule.run sweep 1 padded
            schedule.run sweep 2
            schedule.run out
          }
        } else {
          schedule.for [d0, d1, d2] by 64 parallel {
            schedule.pipeline [d0, d1, d2] sweep 1 by 64 {
              schedule.run sweep 0 lanes
              schedule.run sweep 1 strips
            } beside {
              schedule.run sweep 2
              schedule.run out
            }
          }
        }
      }
    }
    kernel.nest [batch, floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64), length, 64] into (%scaled_dot_product_attention_2) {
      %437 = kernel.sweep [length] (dot) {
        %438 = kernel.load %val_21[d0, d1, d2, d4] : f32
        %439 = kernel.load %val_19[floordiv(d0*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length + d4*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64) + d1, bcast(length, min(length, 512))*12), mod(floordiv(d0*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length + d4*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64) + d1, 12), bcast(length, min(length, 512))), d3 + mod(d0*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length + d4*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64) + d1, 12)*64] : f32
        %440 = kernel.load %28[d3 + mod(d0*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length + d4*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64) + d1, 12)*64] : f32
        %441 = scalar.apply add(%439, %440) : f32
        %442 = scalar.apply mul(%438, %441) : f32
        kernel.yield %442
      } : f32
      kernel.store %437 to 0[d0, d1, d2, d3]
      schedule.tree {
        schedule.pack left by 5
        schedule.pack right by 64
        schedule.for [d0] by 1 parallel {
          schedule.for [d1] by 1 parallel {
            schedule.for [d2] by 255 parallel {
              schedule.for [d3] by 64 serial {
                schedule.for [d2] by 5 serial {
                  schedule.run start
                  schedule.for [d4] by 512 serial {
                    schedule.run init
                    schedule.for [d4] by 1 serial {
                      schedule.for [d2] by 1 unroll {
                        schedule.for [d3] by 16 vector {
                          schedule.run step
                        }
                      }
                    }
                    schedule.run finish
                  }
                  schedule.for [d2] by 1 serial {
                    schedule.for [d3] by 1 vector {
                      schedule.run out
                    }
                  }
                }
              }
            }
          }
        }
      }
    }
    kernel.nest [batch, length, 768] into (%val_22) {
      %443 = kernel.sweep [floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*64] (dot) {
        %444 = kernel.load %scaled_dot_product_attention_2[d0, mod(floordiv(d3, 64), floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)), d1, mod(d3, 64)] : f32
        %445 = kernel.load %val_60[d3, d2] : f32
        %446 = scalar.apply mul(%444, %445) : f32
        kernel.yield %446
      } : f32
      kernel.store %443 to 0[d0, d1, d2]
      schedule.tree {
        schedule.pack left by 5
        schedule.pack right by 64
        schedule.for [d0] by 1 parallel {
          schedule.for [d1] by 255 parallel {
            schedule.for [d2] by 64 serial {
              schedule.for [d1] by 5 serial {
                schedule.run start
                schedule.for [d3] by 512 serial {
                  schedule.run init
                  schedule.for [d3] by 1 serial {
                    schedule.for [d1] by 1 unroll {
                      schedule.for [d2] by 16 vector {
                        schedule.run step
                      }
                    }
                  }
                  schedule.run finish
                }
                schedule.for [d1] by 1 serial {
                  schedule.for [d2] by 1 vector {
                    schedule.run out
                  }
                }
              }
            }
          }
        }
      }
    }
    kernel.nest [batch, bcast(length, min(length, 512))] into (%val_23) {
      %447 = kernel.sweep [768] lanes 64 (sum) {
        %448 = kernel.load %val_22[d0, d1*nonunit(length), d2] : f32
        %449 = kernel.load %29[d2] : f32
        %450 = scalar.apply add(%448, %449) : f32
        %451 = kernel.load %val_23[d0, d1, d2] : f32
        %452 = scalar.apply add(%450, %451) : f32
        kernel.yield %452
      } : f32
      %453 = scalar.constant 7.680000e+02 : f32
      %454 = scalar.apply div(%447, %453) : f32
      %455 = kernel.sweep [768] lanes 64 (sum) {
        %456 = kernel.load %val_22[d0, d1*nonunit(length), d2] : f32
        %457 = kernel.load %29[d2] : f32
        %458 = scalar.apply add(%456, %457) : f32
        %459 = kernel.load %val_23[d0, d1, d2] : f32
        %460 = scalar.apply add(%458, %459) : f32
        %461 = scalar.apply sub(%460, %454) : f32
        %462 = scalar.apply mul(%461, %461) : f32
        kernel.yield %462
      } : f32
      %463 = scalar.apply div(%455, %453) : f32
      %464 = scalar.constant 1.000000e-12 : f32
      %465 = scalar.apply add(%463, %464) : f32
      %466 = scalar.apply sqrt(%465) : f32
      kernel.sweep [768] {
        %467 = kernel.load %val_22[d0, d1*nonunit(length), d2] : f32
        %468 = kernel.load %29[d2] : f32
        %469 = scalar.apply add(%467, %468) : f32
        %470 = kernel.load %val_23[d0, d1, d2] : f32
        %471 = scalar.apply add(%469, %470) : f32
        %472 = scalar.apply sub(%471, %454) : f32
        %473 = scalar.apply div(%472, %466) : f32
        %474 = kernel.load %30[d2] : f32
        %475 = scalar.apply mul(%473, %474) : f32
        %476 = kernel.load %31[d2] : f32
        %477 = scalar.apply add(%475, %476) : f32
        kernel.store %477 to 0[d0, d1, d2]
        kernel.yield
      }
      schedule.tree {
        schedule.for [d0] by 1 parallel {
          schedule.for [d1] by 1 serial {
            schedule.run sweep 0 groups
            schedule.run sweep 1 groups
            schedule.run sweep 2
            schedule.run out
          }
        }
      }
    }
    kernel.nest [batch, bcast(length, min(length, 512)), 3072] into (%gelu_2) {
      %478 = kernel.sweep [768] (dot) {
        %479 = kernel.load %val_23[d0, d1, d3] : f32
        %480 = kernel.load %val_61[d3, d2] : f32
        %481 = scalar.apply mul(%479, %480) : f32
        kernel.yield %481
      } : f32
      %482 = kernel.load %32[d2] : f32
      %483 = scalar.apply add(%478, %482) : f32
      %484 = scalar.apply gelu(%483) : f32
      kernel.store %484 to 0[d0, d1, d2]
      schedule.tree {
        schedule.pack right by 64
        schedule.for [d0, d1] by 170 parallel {
          schedule.pack left by 5
          schedule.for [d2] by 64 serial {
            schedule.for [d0, d1] by 5 serial {
              schedule.run start
              schedule.for [d3] by 512 serial {
                schedule.run init
                schedule.for [d3] by 1 serial {
                  schedule.for [d0, d1] by 1 unroll {
                    schedule.for [d2] by 16 vector {
                      schedule.run step
                    }
                  }
                }
                schedule.run finish
              }
              schedule.for [d0, d1] by 1 serial {
                schedule.for [d2] by 1 vector {
                  schedule.run out
                }
              }
            }
          }
        }
      }
    }
    kernel.nest [batch, bcast(length, min(length, 512)), 768] into (%val_30) {
      %485 = kernel.sweep [3072] (dot) {
        %486 = kernel.load %gelu_2[d0, d1, d3] : f32
        %487 = kernel.load %val_62[d3, d2] : f32
        %488 = scalar.apply mul(%486, %487) : f32
        kernel.yield %488
      } : f32
      kernel.store %485 to 0[d0, d1, d2]
      schedule.tree {
        schedule.pack right by 64
        schedule.for [d0, d1] by 40 parallel {
          schedule.pack left by 5
          schedule.for [d2] by 64 serial {
            schedule.for [d0, d1] by 5 serial {
              schedule.run start
              schedule.for [d3] by 512 serial {
                schedule.run init
                schedule.for [d3] by 1 serial {
                  schedule.for [d0, d1] by 1 unroll {
                    schedule.for [d2] by 16 vector {
                      schedule.run step
                    }
                  }
                }
                schedule.run finish
              }
              schedule.for [d0, d1] by 1 serial {
                schedule.for [d2] by 1 vector {
                  schedule.run out
                }
              }
            }
          }
        }
      }
    }
    kernel.nest [batch, bcast(length, min(length, 512))] into (%val_30) {
      %489 = kernel.sweep [768] lanes 64 (sum) {
        %490 = kernel.load %val_30[d0, d1, d2] : f32
        %491 = kernel.load %33[d2] : f32
        %492 = scalar.apply add(%490, %491) : f32
        %493 = kernel.load %val_23[d0, d1, d2] : f32
        %494 = scalar.apply add(%492, %493) : f32
        kernel.yield %494
      } : f32
      %495 = scalar.constant 7.680000e+02 : f32
      %496 = scalar.apply div(%489, %495) : f32
      %497 = kernel.sweep [768] lanes 64 (sum) {
        %498 = kernel.load %val_30[d0, d1, d2] : f32
        %499 = kernel.load %33[d2] : f32
        %500 = scalar.apply add(%498, %499) : f32
        %501 = kernel.load %val_23[d0, d1, d2] : f32
        %502 = scalar.apply add(%500, %501) : f32
        %503 = scalar.apply sub(%502, %496) : f32
        %504 = scalar.apply mul(%503, %503) : f32
        kernel.yield %504
      } : f32
      %505 = scalar.apply div(%497, %495) : f32
      %506 = scalar.constant 1.000000e-12 : f32
      %507 = scalar.apply add(%505, %506) : f32
      %508 = scalar.apply sqrt(%507) : f32
      kernel.sweep [768] {
        %509 = kernel.load %val_30[d0, d1, d2] : f32
        %510 = kernel.load %33[d2] : f32
        %511 = scalar.apply add(%509, %510) : f32
        %512 = kernel.load %val_23[d0, d1, d2] : f32
        %513 = scalar.apply add(%511, %512) : f32
        %514 = scalar.apply sub(%513, %496) : f32
        %515 = scalar.apply div(%514, %508) : f32
        %516 = kernel.load %34[d2] : f32
        %517 = scalar.apply mul(%515, %516) : f32
        %518 = kernel.load %35[d2] : f32
        %519 = scalar.apply add(%517, %518) : f32
        kernel.store %519 to 0[d0, d1, d2]
        kernel.yield
      }
      schedule.tree {
        schedule.for [d0, d1] by 1 parallel {
          schedule.run sweep 0 groups
          schedule.run sweep 1 groups
          schedule.run sweep 2
          schedule.run out
        }
      }
    }
    kernel.nest [batch, bcast(length, min(length, 512)), 768] into (%val_24) {
      %520 = kernel.sweep [768] (dot) {
        %521 = kernel.load %val_30[d0, d1, d3] : f32
        %522 = kernel.load %val_63[d3, d2] : f32
        %523 = scalar.apply mul(%521, %522) : f32
        kernel.yield %523
      } : f32
      kernel.store %520 to 0[d0, d1, d2]
      schedule.tree {
        schedule.pack right by 64
        schedule.for [d0, d1] by 170 parallel {
          schedule.pack left by 5
          schedule.for [d2] by 64 serial {
            schedule.for [d0, d1] by 5 serial {
              schedule.run start
              schedule.for [d3] by 512 serial {
                schedule.run init
                schedule.for [d3] by 1 serial {
                  schedule.for [d0, d1] by 1 unroll {
                    schedule.for [d2] by 16 vector {
                      schedule.run step
                    }
                  }
                }
                schedule.run finish
              }
              schedule.for [d0, d1] by 1 serial {
                schedule.for [d2] by 1 vector {
                  schedule.run out
                }
              }
            }
          }
        }
      }
    }
    kernel.nest [batch, bcast(length, min(length, 512)), 12, 64] into (%val_25) {
      %524 = kernel.sweep [768] (dot) {
        %525 = kernel.load %val_30[d0, d1, d4] : f32
        %526 = kernel.load %val_64[d4, d2*64 + d3] : f32
        %527 = scalar.apply mul(%525, %526) : f32
        kernel.yield %527
      } : f32
      kernel.store %524 to 0[d0, d1, d2*64 + d3]
      schedule.tree {
        schedule.pack right by 64
        schedule.for [d0, d1] by 170 parallel {
          schedule.pack left by 5
          schedule.for [d2, d3] by 64 serial {
            schedule.for [d0, d1] by 5 serial {
              schedule.run start
              schedule.for [d4] by 512 serial {
                schedule.run init
                schedule.for [d4] by 1 serial {
                  schedule.for [d0, d1] by 1 unroll {
                    schedule.for [d2, d3] by 16 vector {
                      schedule.run step
                    }
                  }
                }
                schedule.run finish
              }
              schedule.for [d0, d1] by 1 serial {
                schedule.for [d2, d3] by 1 vector {
                  schedule.run out
                }
              }
            }
          }
        }
      }
    }
    kernel.nest [batch, bcast(length, min(length, 512)), 768] into (%val_26) {
      %528 = kernel.sweep [768] (dot) {
        %529 = kernel.load %val_30[d0, d1, d3] : f32
        %530 = kernel.load %val_65[d3, d2] : f32
        %531 = scalar.apply mul(%529, %530) : f32
        kernel.yield %531
      } : f32
      kernel.store %528 to 0[d0, d1, d2]
      schedule.tree {
        schedule.pack right by 64
        schedule.for [d0, d1] by 170 parallel {
          schedule.pack left by 5
          schedule.for [d2] by 64 serial {
            schedule.for [d0, d1] by 5 serial {
              schedule.run start
              schedule.for [d3] by 512 serial {
                schedule.run init
                schedule.for [d3] by 1 serial {
                  schedule.for [d0, d1] by 1 unroll {
                    schedule.for [d2] by 16 vector {
                      schedule.run step
                    }
                  }
                }
                schedule.run finish
              }
              schedule.for [d0, d1] by 1 serial {
                schedule.for [d2] by 1 vector {
                  schedule.run out
                }
              }
            }
          }
        }
      }
    }
    kernel.nest [batch, floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64), length, 64] into (%transpose_3) {
      %532 = kernel.load %val_25[floordiv(d0*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length + d2*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64) + d1, bcast(length, min(length, 512))*12), mod(floordiv(d0*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length + d2*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64) + d1, 12), bcast(length, min(length, 512))), d3 + mod(d0*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length + d2*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64) + d1, 12)*64] : f32
      %533 = kernel.load %37[d3 + mod(d0*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length + d2*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64) + d1, 12)*64] : f32
      %534 = scalar.apply add(%532, %533) : f32
      kernel.store %534 to 0[d0, d1, d2, d3]
      schedule.tree {
        schedule.for [d0] by 1 parallel {
          schedule.for [d1] by 1 serial {
            schedule.for [d2] by 1 serial {
              schedule.for [d3] by 1 vector {
                schedule.run out
              }
            }
          }
        }
      }
    }
    kernel.nest [batch, floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64), length, length] into (%val_27) {
      %535 = scalar.constant 0.353553385 : f32
      %536 = kernel.sweep [64] (dot) {
        %537 = kernel.load %val_24[floordiv(d0*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length + d2*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64) + d1, bcast(length, min(length, 512))*12), mod(floordiv(d0*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length + d2*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64) + d1, 12), bcast(length, min(length, 512))), d4 + mod(d0*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length + d2*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64) + d1, 12)*64] : f32
        %538 = kernel.load %36[d4 + mod(d0*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length + d2*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64) + d1, 12)*64] : f32
        %539 = scalar.apply add(%537, %538) : f32
        %540 = scalar.apply mul(%539, %535) : f32
        %541 = kernel.load %transpose_3[d0, d1, d3, d4] : f32
        %542 = scalar.apply mul(%541, %535) : f32
        %543 = scalar.apply mul(%540, %542) : f32
        kernel.yield %543
      } : f32
      %544 = scalar.constant true
      %545 = scalar.index <d2> : i64
      %546 = scalar.constant 0 : i64
      %547 = scalar.apply ge(%545, %546) : i1
      %548 = scalar.apply and(%544, %547) : i1
      %549 = kernel.load %val_6[d0, 0, 0, d3] : i1
      %550 = scalar.apply and(%548, %549) : i1
      %551 = scalar.constant 0.000000e+00 : f32
      %552 = scalar.constant -3.40282347e+38 : f32
      %553 = scalar.apply select(%550, %551, %552) : f32
      %554 = scalar.apply add(%536, %553) : f32
      kernel.store %554 to 0[d0, d1, d2, d3]
      schedule.tree {
        schedule.pack right by 16
        schedule.for [d0] by 1 parallel {
          schedule.for [d1] by 1 parallel {
            schedule.for [d2] by 2046 parallel {
              schedule.pack left by 11
              schedule.for [d3] by 16 serial {
                schedule.for [d2] by 11 serial {
                  schedule.run init
                  schedule.for [d4] by 1 serial {
                    schedule.for [d2] by 1 unroll {
                      schedule.for [d3] by 16 vector {
                        schedule.run step
                      }
                    }
                  }
                  schedule.run finish
                  schedule.for [d2] by 1 serial {
                    schedule.for [d3] by 1 vector {
                      schedule.run out
                    }
                  }
                }
              }
            }
          }
        }
      }
    }
    kernel.nest [batch, floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64), length] into (%val_28) {
      %555 = kernel.sweep [length] (max_number) {
        %556 = kernel.load %val_27[d0, d1, d2, d3] : f32
        kernel.yield %556
      } : f32
      %557, %558 = kernel.sweep [length] lanes 64 (keep to 0[d0, d1, d2, d3], sum) {
        %559 = kernel.load %val_27[d0, d1, d2, d3] : f32
        %560 = scalar.apply sub(%555, %559) : f32
        %561 = scalar.apply exp_neg(%560) : f32
        kernel.yield %561, %561
      } : tensor<?xf32, #opc.dims<length>>, f32
      %562 = scalar.constant 0.000000e+00 : f32
      kernel.sweep [length] {
        %563 = kernel.load %557[d3] : f32
        %564 = scalar.apply div(%563, %558) : f32
        %565 = scalar.apply is_nan(%564) : i1
        %566 = scalar.apply select(%565, %562, %564) : f32
        kernel.store %566 to 0[d0, d1, d2, d3]
        kernel.yield
      }
      schedule.tree {
        schedule.if <-atleast(length, 33) + 1> {
          schedule.for [d0, d1, d2] by 64 parallel {
            schedule.pack_rows
            schedule.run sweep 0 padded
            schedule.run sweep 1 padded
            schedule.run sweep 2
            schedule.run out
          }
        } else {
          schedule.for [d0, d1, d2] by 64 parallel {
            schedule.pipeline [d0, d1, d2] sweep 1 by 64 {
              schedule.run sweep 0 lanes
              schedule.run sweep 1 strips
            } beside {
              schedule.run sweep 2
              schedule.run out
            }
          }
        }
      }
    }
    kernel.nest [batch, floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64), length, 64] into (%scaled_dot_product_attention_3) {
      %567 = kernel.sweep [length] (dot) {
        %568 = kernel.load %val_28[d0, d1, d2, d4] : f32
        %569 = kernel.load %val_26[floordiv(d0*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length + d4*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64) + d1, bcast(length, min(length, 512))*12), mod(floordiv(d0*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length + d4*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64) + d1, 12), bcast(length, min(length, 512))), d3 + mod(d0*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length + d4*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64) + d1, 12)*64] : f32
        %570 = kernel.load %38[d3 + mod(d0*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length + d4*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64) + d1, 12)*64] : f32
        %571 = scalar.apply add(%569, %570) : f32
        %572 = scalar.apply mul(%568, %571) : f32
        kernel.yield %572
      } : f32
      kernel.store %567 to 0[d0, d1, d2, d3]
      schedule.tree {
        schedule.pack left by 5
        schedule.pack right by 64
        schedule.for [d0] by 1 parallel {
          schedule.for [d1] by 1 parallel {
            schedule.for [d2] by 255 parallel {
              schedule.for [d3] by 64 serial {
                schedule.for [d2] by 5 serial {
                  schedule.run start
                  schedule.for [d4] by 512 serial {
                    schedule.run init
                    schedule.for [d4] by 1 serial {
                      schedule.for [d2] by 1 unroll {
                        schedule.for [d3] by 16 vector {
                          schedule.run step
                        }
                      }
                    }
                    schedule.run finish
                  }
                  schedule.for [d2] by 1 serial {
                    schedule.for [d3] by 1 vector {
                      schedule.run out
                    }
                  }
                }
              }
            }
          }
        }
      }
    }
    kernel.nest [batch, length, 768] into (%val_29) {
      %573 = kernel.sweep [floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*64] (dot) {
        %574 = kernel.load %scaled_dot_product_attention_3[d0, mod(floordiv(d3, 64), floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)), d1, mod(d3, 64)] : f32
        %575 = kernel.load %val_66[d3, d2] : f32
        %576 = scalar.apply mul(%574, %575) : f32
        kernel.yield %576
      } : f32
      kernel.store %573 to 0[d0, d1, d2]
      schedule.tree {
        schedule.pack left by 5
        schedule.pack right by 64
        schedule.for [d0] by 1 parallel {
          schedule.for [d1] by 255 parallel {
            schedule.for [d2] by 64 serial {
              schedule.for [d1] by 5 serial {
                schedule.run start
                schedule.for [d3] by 512 serial {
                  schedule.run init
                  schedule.for [d3] by 1 serial {
                    schedule.for [d1] by 1 unroll {
                      schedule.for [d2] by 16 vector {
                        schedule.run step
                      }
                    }
                  }
                  schedule.run finish
                }
                schedule.for [d1] by 1 serial {
                  schedule.for [d2] by 1 vector {
                    schedule.run out
                  }
                }
              }
            }
          }
        }
      }
    }
    kernel.nest [batch, bcast(length, min(length, 512))] into (%val_30) {
      %577 = kernel.sweep [768] lanes 64 (sum) {
        %578 = kernel.load %val_29[d0, d1*nonunit(length), d2] : f32
        %579 = kernel.load %39[d2] : f32
        %580 = scalar.apply add(%578, %579) : f32
        %581 = kernel.load %val_30[d0, d1, d2] : f32
        %582 = scalar.apply add(%580, %581) : f32
        kernel.yield %582
      } : f32
      %583 = scalar.constant 7.680000e+02 : f32
      %584 = scalar.apply div(%577, %583) : f32
      %585 = kernel.sweep [768] lanes 64 (sum) {
        %586 = kernel.load %val_29[d0, d1*nonunit(length), d2] : f32
        %587 = kernel.load %39[d2] : f32
        %588 = scalar.apply add(%586, %587) : f32
        %589 = kernel.load %val_30[d0, d1, d2] : f32
        %590 = scalar.apply add(%588, %589) : f32
        %591 = scalar.apply sub(%590, %584) : f32
        %592 = scalar.apply mul(%591, %591) : f32
        kernel.yield %592
      } : f32
      %593 = scalar.apply div(%585, %583) : f32
      %594 = scalar.constant 1.000000e-12 : f32
      %595 = scalar.apply add(%593, %594) : f32
      %596 = scalar.apply sqrt(%595) : f32
      kernel.sweep [768] {
        %597 = kernel.load %val_29[d0, d1*nonunit(length), d2] : f32
        %598 = kernel.load %39[d2] : f32
        %599 = scalar.apply add(%597, %598) : f32
        %600 = kernel.load %val_30[d0, d1, d2] : f32
        %601 = scalar.apply add(%599, %600) : f32
        %602 = scalar.apply sub(%601, %584) : f32
        %603 = scalar.apply div(%602, %596) : f32
        %604 = kernel.load %40[d2] : f32
        %605 = scalar.apply mul(%603, %604) : f32
        %606 = kernel.load %41[d2] : f32
        %607 = scalar.apply add(%605, %606) : f32
        kernel.store %607 to 0[d0, d1, d2]
        kernel.yield
      }
      schedule.tree {
        schedule.for [d0] by 1 parallel {
          schedule.for [d1] by 1 serial {
            schedule.run sweep 0 groups
            schedule.run sweep 1 groups
            schedule.run sweep 2
            schedule.run out
          }
        }
      }
    }
    kernel.nest [batch, bcast(length, min(length, 512)), 3072] into (%gelu_3) {
      %608 = kernel.sweep [768] (dot) {
        %609 = kernel.load %val_30[d0, d1, d3] : f32
        %610 = kernel.load %val_67[d3, d2] : f32
        %611 = scalar.apply mul(%609, %610) : f32
        kernel.yield %611
      } : f32
      %612 = kernel.load %42[d2] : f32
      %613 = scalar.apply add(%608, %612) : f32
      %614 = scalar.apply gelu(%613) : f32
      kernel.store %614 to 0[d0, d1, d2]
      schedule.tree {
        schedule.pack right by 64
        schedule.for [d0, d1] by 170 parallel {
          schedule.pack left by 5
          schedule.for [d2] by 64 serial {
            schedule.for [d0, d1] by 5 serial {
              schedule.run start
              schedule.for [d3] by 512 serial {
                schedule.run init
                schedule.for [d3] by 1 serial {
                  schedule.for [d0, d1] by 1 unroll {
                    schedule.for [d2] by 16 vector {
                      schedule.run step
                    }
                  }
                }
                schedule.run finish
              }
              schedule.for [d0, d1] by 1 serial {
                schedule.for [d2] by 1 vector {
                  schedule.run out
                }
              }
            }
          }
        }
      }
    }
    kernel.nest [batch, bcast(length, min(length, 512)), 768] into (%val_37) {
      %615 = kernel.sweep [3072] (dot) {
        %616 = kernel.load %gelu_3[d0, d1, d3] : f32
        %617 = kernel.load %val_68[d3, d2] : f32
        %618 = scalar.apply mul(%616, %617) : f32
        kernel.yield %618
      } : f32
      kernel.store %615 to 0[d0, d1, d2]
      schedule.tree {
        schedule.pack right by 64
        schedule.for [d0, d1] by 40 parallel {
          schedule.pack left by 5
          schedule.for [d2] by 64 serial {
            schedule.for [d0, d1] by 5 serial {
              schedule.run start
              schedule.for [d3] by 512 serial {
                schedule.run init
                schedule.for [d3] by 1 serial {
                  schedule.for [d0, d1] by 1 unroll {
                    schedule.for [d2] by 16 vector {
                      schedule.run step
                    }
                  }
                }
                schedule.run finish
              }
              schedule.for [d0, d1] by 1 serial {
                schedule.for [d2] by 1 vector {
                  schedule.run out
                }
              }
            }
          }
        }
      }
    }
    kernel.nest [batch, bcast(length, min(length, 512))] into (%val_37) {
      %619 = kernel.sweep [768] lanes 64 (sum) {
        %620 = kernel.load %val_37[d0, d1, d2] : f32
        %621 = kernel.load %43[d2] : f32
        %622 = scalar.apply add(%620, %621) : f32
        %623 = kernel.load %val_30[d0, d1, d2] : f32
        %624 = scalar.apply add(%622, %623) : f32
        kernel.yield %624
      } : f32
      %625 = scalar.constant 7.680000e+02 : f32
      %626 = scalar.apply div(%619, %625) : f32
      %627 = kernel.sweep [768] lanes 64 (sum) {
        %628 = kernel.load %val_37[d0, d1, d2] : f32
        %629 = kernel.load %43[d2] : f32
        %630 = scalar.apply add(%628, %629) : f32
        %631 = kernel.load %val_30[d0, d1, d2] : f32
        %632 = scalar.apply add(%630, %631) : f32
        %633 = scalar.apply sub(%632, %626) : f32
        %634 = scalar.apply mul(%633, %633) : f32
        kernel.yield %634
      } : f32
      %635 = scalar.apply div(%627, %625) : f32
      %636 = scalar.constant 1.000000e-12 : f32
      %637 = scalar.apply add(%635, %636) : f32
      %638 = scalar.apply sqrt(%637) : f32
      kernel.sweep [768] {
        %639 = kernel.load %val_37[d0, d1, d2] : f32
        %640 = kernel.load %43[d2] : f32
        %641 = scalar.apply add(%639, %640) : f32
        %642 = kernel.load %val_30[d0, d1, d2] : f32
        %643 = scalar.apply add(%641, %642) : f32
        %644 = scalar.apply sub(%643, %626) : f32
        %645 = scalar.apply div(%644, %638) : f32
        %646 = kernel.load %44[d2] : f32
        %647 = scalar.apply mul(%645, %646) : f32
        %648 = kernel.load %45[d2] : f32
        %649 = scalar.apply add(%647, %648) : f32
        kernel.store %649 to 0[d0, d1, d2]
        kernel.yield
      }
      schedule.tree {
        schedule.for [d0, d1] by 1 parallel {
          schedule.run sweep 0 groups
          schedule.run sweep 1 groups
          schedule.run sweep 2
          schedule.run out
        }
      }
    }
    kernel.nest [batch, bcast(length, min(length, 512)), 768] into (%val_31) {
      %650 = kernel.sweep [768] (dot) {
        %651 = kernel.load %val_37[d0, d1, d3] : f32
        %652 = kernel.load %val_69[d3, d2] : f32
        %653 = scalar.apply mul(%651, %652) : f32
        kernel.yield %653
      } : f32
      kernel.store %650 to 0[d0, d1, d2]
      schedule.tree {
        schedule.pack right by 64
        schedule.for [d0, d1] by 170 parallel {
          schedule.pack left by 5
          schedule.for [d2] by 64 serial {
            schedule.for [d0, d1] by 5 serial {
              schedule.run start
              schedule.for [d3] by 512 serial {
                schedule.run init
                schedule.for [d3] by 1 serial {
                  schedule.for [d0, d1] by 1 unroll {
                    schedule.for [d2] by 16 vector {
                      schedule.run step
                    }
                  }
                }
                schedule.run finish
              }
              schedule.for [d0, d1] by 1 serial {
                schedule.for [d2] by 1 vector {
                  schedule.run out
                }
              }
            }
          }
        }
      }
    }
    kernel.nest [batch, bcast(length, min(length, 512)), 12, 64] into (%val_32) {
      %654 = kernel.sweep [768] (dot) {
        %655 = kernel.load %val_37[d0, d1, d4] : f32
        %656 = kernel.load %val_70[d4, d2*64 + d3] : f32
        %657 = scalar.apply mul(%655, %656) : f32
        kernel.yield %657
      } : f32
      kernel.store %654 to 0[d0, d1, d2*64 + d3]
      schedule.tree {
        schedule.pack right by 64
        schedule.for [d0, d1] by 170 parallel {
          schedule.pack left by 5
          schedule.for [d2, d3] by 64 serial {
            schedule.for [d0, d1] by 5 serial {
              schedule.run start
              schedule.for [d4] by 512 serial {
                schedule.run init
                schedule.for [d4] by 1 serial {
                  schedule.for [d0, d1] by 1 unroll {
                    schedule.for [d2, d3] by 16 vector {
                      schedule.run step
                    }
                  }
                }
                schedule.run finish
              }
              schedule.for [d0, d1] by 1 serial {
                schedule.for [d2, d3] by 1 vector {
                  schedule.run out
                }
              }
            }
          }
        }
      }
    }
    kernel.nest [batch, bcast(length, min(length, 512)), 768] into (%val_33) {
      %658 = kernel.sweep [768] (dot) {
        %659 = kernel.load %val_37[d0, d1, d3] : f32
        %660 = kernel.load %val_71[d3, d2] : f32
        %661 = scalar.apply mul(%659, %660) : f32
        kernel.yield %661
      } : f32
      kernel.store %658 to 0[d0, d1, d2]
      schedule.tree {
        schedule.pack right by 64
        schedule.for [d0, d1] by 170 parallel {
          schedule.pack left by 5
          schedule.for [d2] by 64 serial {
            schedule.for [d0, d1] by 5 serial {
              schedule.run start
              schedule.for [d3] by 512 serial {
                schedule.run init
                schedule.for [d3] by 1 serial {
                  schedule.for [d0, d1] by 1 unroll {
                    schedule.for [d2] by 16 vector {
                      schedule.run step
                    }
                  }
                }
                schedule.run finish
              }
              schedule.for [d0, d1] by 1 serial {
                schedule.for [d2] by 1 vector {
                  schedule.run out
                }
              }
            }
          }
        }
      }
    }
    kernel.nest [batch, floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64), length, 64] into (%transpose_4) {
      %662 = kernel.load %val_32[floordiv(d0*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length + d2*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64) + d1, bcast(length, min(length, 512))*12), mod(floordiv(d0*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length + d2*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64) + d1, 12), bcast(length, min(length, 512))), d3 + mod(d0*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length + d2*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64) + d1, 12)*64] : f32
      %663 = kernel.load %47[d3 + mod(d0*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length + d2*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64) + d1, 12)*64] : f32
      %664 = scalar.apply add(%662, %663) : f32
      kernel.store %664 to 0[d0, d1, d2, d3]
      schedule.tree {
        schedule.for [d0] by 1 parallel {
          schedule.for [d1] by 1 serial {
            schedule.for [d2] by 1 serial {
              schedule.for [d3] by 1 vector {
                schedule.run out
              }
            }
          }
        }
      }
    }
    kernel.nest [batch, floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64), length, length] into (%val_34) {
      %665 = scalar.constant 0.353553385 : f32
      %666 = kernel.sweep [64] (dot) {
        %667 = kernel.load %val_31[floordiv(d0*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length + d2*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64) + d1, bcast(length, min(length, 512))*12), mod(floordiv(d0*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length + d2*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64) + d1, 12), bcast(length, min(length, 512))), d4 + mod(d0*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length + d2*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64) + d1, 12)*64] : f32
        %668 = kernel.load %46[d4 + mod(d0*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length + d2*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64) + d1, 12)*64] : f32
        %669 = scalar.apply add(%667, %668) : f32
        %670 = scalar.apply mul(%669, %665) : f32
        %671 = kernel.load %transpose_4[d0, d1, d3, d4] : f32
        %672 = scalar.apply mul(%671, %665) : f32
        %673 = scalar.apply mul(%670, %672) : f32
        kernel.yield %673
      } : f32
      %674 = scalar.constant true
      %675 = scalar.index <d2> : i64
      %676 = scalar.constant 0 : i64
      %677 = scalar.apply ge(%675, %676) : i1
      %678 = scalar.apply and(%674, %677) : i1
      %679 = kernel.load %val_6[d0, 0, 0, d3] : i1
      %680 = scalar.apply and(%678, %679) : i1
      %681 = scalar.constant 0.000000e+00 : f32
      %682 = scalar.constant -3.40282347e+38 : f32
      %683 = scalar.apply select(%680, %681, %682) : f32
      %684 = scalar.apply add(%666, %683) : f32
      kernel.store %684 to 0[d0, d1, d2, d3]
      schedule.tree {
        schedule.pack right by 16
        schedule.for [d0] by 1 parallel {
          schedule.for [d1] by 1 parallel {
            schedule.for [d2] by 2046 parallel {
              schedule.pack left by 11
              schedule.for [d3] by 16 serial {
                schedule.for [d2] by 11 serial {
                  schedule.run init
                  schedule.for [d4] by 1 serial {
                    schedule.for [d2] by 1 unroll {
                      schedule.for [d3] by 16 vector {
                        schedule.run step
                      }
                    }
                  }
                  schedule.run finish
                  schedule.for [d2] by 1 serial {
                    schedule.for [d3] by 1 vector {
                      schedule.run out
                    }
                  }
                }
              }
            }
          }
        }
      }
    }
    kernel.nest [batch, floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64), length] into (%val_35) {
      %685 = kernel.sweep [length] (max_number) {
        %686 = kernel.load %val_34[d0, d1, d2, d3] : f32
        kernel.yield %686
      } : f32
      %687, %688 = kernel.sweep [length] lanes 64 (keep to 0[d0, d1, d2, d3], sum) {
        %689 = kernel.load %val_34[d0, d1, d2, d3] : f32
        %690 = scalar.apply sub(%685, %689) : f32
        %691 = scalar.apply exp_neg(%690) : f32
        kernel.yield %691, %691
      } : tensor<?xf32, #opc.dims<length>>, f32
      %692 = scalar.constant 0.000000e+00 : f32
      kernel.sweep [length] {
        %693 = kernel.load %687[d3] : f32
        %694 = scalar.apply div(%693, %688) : f32
        %695 = scalar.apply is_nan(%694) : i1
        %696 = scalar.apply select(%695, %692, %694) : f32
        kernel.store %696 to 0[d0, d1, d2, d3]
        kernel.yield
      }
      schedule.tree {
        schedule.if <-atleast(length, 33) + 1> {
          schedule.for [d0, d1, d2] by 64 parallel {
            schedule.pack_rows
            schedule.run sweep 0 padded
            schedule.run sweep 1 padded
            schedule.run sweep 2
            schedule.run out
          }
        } else {
          schedule.for [d0, d1, d2] by 64 parallel {
            schedule.pipeline [d0, d1, d2] sweep 1 by 64 {
              schedule.run sweep 0 lanes
              schedule.run sweep 1 strips
            } beside {
              schedule.run sweep 2
              schedule.run out
            }
          }
        }
      }
    }
    kernel.nest [batch, floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64), length, 64] into (%scaled_dot_product_attention_4) {
      %697 = kernel.sweep [length] (dot) {
        %698 = kernel.load %val_35[d0, d1, d2, d4] : f32
        %699 = kernel.load %val_33[floordiv(d0*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length + d4*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64) + d1, bcast(length, min(length, 512))*12), mod(floordiv(d0*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length + d4*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64) + d1, 12), bcast(length, min(length, 512))), d3 + mod(d0*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length + d4*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64) + d1, 12)*64] : f32
        %700 = kernel.load %48[d3 + mod(d0*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length + d4*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64) + d1, 12)*64] : f32
        %701 = scalar.apply add(%699, %700) : f32
        %702 = scalar.apply mul(%698, %701) : f32
        kernel.yield %702
      } : f32
      kernel.store %697 to 0[d0, d1, d2, d3]
      schedule.tree {
        schedule.pack left by 5
        schedule.pack right by 64
        schedule.for [d0] by 1 parallel {
          schedule.for [d1] by 1 parallel {
            schedule.for [d2] by 255 parallel {
              schedule.for [d3] by 64 serial {
                schedule.for [d2] by 5 serial {
                  schedule.run start
                  schedule.for [d4] by 512 serial {
                    schedule.run init
                    schedule.for [d4] by 1 serial {
                      schedule.for [d2] by 1 unroll {
                        schedule.for [d3] by 16 vector {
                          schedule.run step
                        }
                      }
                    }
                    schedule.run finish
                  }
                  schedule.for [d2] by 1 serial {
                    schedule.for [d3] by 1 vector {
                      schedule.run out
                    }
                  }
                }
              }
            }
          }
        }
      }
    }
    kernel.nest [batch, length, 768] into (%val_36) {
      %703 = kernel.sweep [floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*64] (dot) {
        %704 = kernel.load %scaled_dot_product_attention_4[d0, mod(floordiv(d3, 64), floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)), d1, mod(d3, 64)] : f32
        %705 = kernel.load %val_72[d3, d2] : f32
        %706 = scalar.apply mul(%704, %705) : f32
        kernel.yield %706
      } : f32
      kernel.store %703 to 0[d0, d1, d2]
      schedule.tree {
        schedule.pack left by 5
        schedule.pack right by 64
        schedule.for [d0] by 1 parallel {
          schedule.for [d1] by 255 parallel {
            schedule.for [d2] by 64 serial {
              schedule.for [d1] by 5 serial {
                schedule.run start
                schedule.for [d3] by 512 serial {
                  schedule.run init
                  schedule.for [d3] by 1 serial {
                    schedule.for [d1] by 1 unroll {
                      schedule.for [d2] by 16 vector {
                        schedule.run step
                      }
                    }
                  }
                  schedule.run finish
                }
                schedule.for [d1] by 1 serial {
                  schedule.for [d2] by 1 vector {
                    schedule.run out
                  }
                }
              }
            }
          }
        }
      }
    }
    kernel.nest [batch, bcast(length, min(length, 512))] into (%val_37) {
      %707 = kernel.sweep [768] lanes 64 (sum) {
        %708 = kernel.load %val_36[d0, d1*nonunit(length), d2] : f32
        %709 = kernel.load %49[d2] : f32
        %710 = scalar.apply add(%708, %709) : f32
        %711 = kernel.load %val_37[d0, d1, d2] : f32
        %712 = scalar.apply add(%710, %711) : f32
        kernel.yield %712
      } : f32
      %713 = scalar.constant 7.680000e+02 : f32
      %714 = scalar.apply div(%707, %713) : f32
      %715 = kernel.sweep [768] lanes 64 (sum) {
        %716 = kernel.load %val_36[d0, d1*nonunit(length), d2] : f32
        %717 = kernel.load %49[d2] : f32
        %718 = scalar.apply add(%716, %717) : f32
        %719 = kernel.load %val_37[d0, d1, d2] : f32
        %720 = scalar.apply add(%718, %719) : f32
        %721 = scalar.apply sub(%720, %714) : f32
        %722 = scalar.apply mul(%721, %721) : f32
        kernel.yield %722
      } : f32
      %723 = scalar.apply div(%715, %713) : f32
      %724 = scalar.constant 1.000000e-12 : f32
      %725 = scalar.apply add(%723, %724) : f32
      %726 = scalar.apply sqrt(%725) : f32
      kernel.sweep [768] {
        %727 = kernel.load %val_36[d0, d1*nonunit(length), d2] : f32
        %728 = kernel.load %49[d2] : f32
        %729 = scalar.apply add(%727, %728) : f32
        %730 = kernel.load %val_37[d0, d1, d2] : f32
        %731 = scalar.apply add(%729, %730) : f32
        %732 = scalar.apply sub(%731, %714) : f32
        %733 = scalar.apply div(%732, %726) : f32
        %734 = kernel.load %50[d2] : f32
        %735 = scalar.apply mul(%733, %734) : f32
        %736 = kernel.load %51[d2] : f32
        %737 = scalar.apply add(%735, %736) : f32
        kernel.store %737 to 0[d0, d1, d2]
        kernel.yield
      }
      schedule.tree {
        schedule.for [d0] by 1 parallel {
          schedule.for [d1] by 1 serial {
            schedule.run sweep 0 groups
            schedule.run sweep 1 groups
            schedule.run sweep 2
            schedule.run out
          }
        }
      }
    }
    kernel.nest [batch, bcast(length, min(length, 512)), 3072] into (%gelu_4) {
      %738 = kernel.sweep [768] (dot) {
        %739 = kernel.load %val_37[d0, d1, d3] : f32
        %740 = kernel.load %val_73[d3, d2] : f32
        %741 = scalar.apply mul(%739, %740) : f32
        kernel.yield %741
      } : f32
      %742 = kernel.load %52[d2] : f32
      %743 = scalar.apply add(%738, %742) : f32
      %744 = scalar.apply gelu(%743) : f32
      kernel.store %744 to 0[d0, d1, d2]
      schedule.tree {
        schedule.pack right by 64
        schedule.for [d0, d1] by 170 parallel {
          schedule.pack left by 5
          schedule.for [d2] by 64 serial {
            schedule.for [d0, d1] by 5 serial {
              schedule.run start
              schedule.for [d3] by 512 serial {
                schedule.run init
                schedule.for [d3] by 1 serial {
                  schedule.for [d0, d1] by 1 unroll {
                    schedule.for [d2] by 16 vector {
                      schedule.run step
                    }
                  }
                }
                schedule.run finish
              }
              schedule.for [d0, d1] by 1 serial {
                schedule.for [d2] by 1 vector {
                  schedule.run out
                }
              }
            }
          }
        }
      }
    }
    kernel.nest [batch, bcast(length, min(length, 512)), 768] into (%val_44) {
      %745 = kernel.sweep [3072] (dot) {
        %746 = kernel.load %gelu_4[d0, d1, d3] : f32
        %747 = kernel.load %val_74[d3, d2] : f32
        %748 = scalar.apply mul(%746, %747) : f32
        kernel.yield %748
      } : f32
      kernel.store %745 to 0[d0, d1, d2]
      schedule.tree {
        schedule.pack right by 64
        schedule.for [d0, d1] by 40 parallel {
          schedule.pack left by 5
          schedule.for [d2] by 64 serial {
            schedule.for [d0, d1] by 5 serial {
              schedule.run start
              schedule.for [d3] by 512 serial {
                schedule.run init
                schedule.for [d3] by 1 serial {
                  schedule.for [d0, d1] by 1 unroll {
                    schedule.for [d2] by 16 vector {
                      schedule.run step
                    }
                  }
                }
                schedule.run finish
              }
              schedule.for [d0, d1] by 1 serial {
                schedule.for [d2] by 1 vector {
                  schedule.run out
                }
              }
            }
          }
        }
      }
    }
    kernel.nest [batch, bcast(length, min(length, 512))] into (%val_44) {
      %749 = kernel.sweep [768] lanes 64 (sum) {
        %750 = kernel.load %val_44[d0, d1, d2] : f32
        %751 = kernel.load %53[d2] : f32
        %752 = scalar.apply add(%750, %751) : f32
        %753 = kernel.load %val_37[d0, d1, d2] : f32
        %754 = scalar.apply add(%752, %753) : f32
        kernel.yield %754
      } : f32
      %755 = scalar.constant 7.680000e+02 : f32
      %756 = scalar.apply div(%749, %755) : f32
      %757 = kernel.sweep [768] lanes 64 (sum) {
        %758 = kernel.load %val_44[d0, d1, d2] : f32
        %759 = kernel.load %53[d2] : f32
        %760 = scalar.apply add(%758, %759) : f32
        %761 = kernel.load %val_37[d0, d1, d2] : f32
        %762 = scalar.apply add(%760, %761) : f32
        %763 = scalar.apply sub(%762, %756) : f32
        %764 = scalar.apply mul(%763, %763) : f32
        kernel.yield %764
      } : f32
      %765 = scalar.apply div(%757, %755) : f32
      %766 = scalar.constant 1.000000e-12 : f32
      %767 = scalar.apply add(%765, %766) : f32
      %768 = scalar.apply sqrt(%767) : f32
      kernel.sweep [768] {
        %769 = kernel.load %val_44[d0, d1, d2] : f32
        %770 = kernel.load %53[d2] : f32
        %771 = scalar.apply add(%769, %770) : f32
        %772 = kernel.load %val_37[d0, d1, d2] : f32
        %773 = scalar.apply add(%771, %772) : f32
        %774 = scalar.apply sub(%773, %756) : f32
        %775 = scalar.apply div(%774, %768) : f32
        %776 = kernel.load %54[d2] : f32
        %777 = scalar.apply mul(%775, %776) : f32
        %778 = kernel.load %55[d2] : f32
        %779 = scalar.apply add(%777, %778) : f32
        kernel.store %779 to 0[d0, d1, d2]
        kernel.yield
      }
      schedule.tree {
        schedule.for [d0, d1] by 1 parallel {
          schedule.run sweep 0 groups
          schedule.run sweep 1 groups
          schedule.run sweep 2
          schedule.run out
        }
      }
    }
    kernel.nest [batch, bcast(length, min(length, 512)), 768] into (%val_38) {
      %780 = kernel.sweep [768] (dot) {
        %781 = kernel.load %val_44[d0, d1, d3] : f32
        %782 = kernel.load %val_75[d3, d2] : f32
        %783 = scalar.apply mul(%781, %782) : f32
        kernel.yield %783
      } : f32
      kernel.store %780 to 0[d0, d1, d2]
      schedule.tree {
        schedule.pack right by 64
        schedule.for [d0, d1] by 170 parallel {
          schedule.pack left by 5
          schedule.for [d2] by 64 serial {
            schedule.for [d0, d1] by 5 serial {
              schedule.run start
              schedule.for [d3] by 512 serial {
                schedule.run init
                schedule.for [d3] by 1 serial {
                  schedule.for [d0, d1] by 1 unroll {
                    schedule.for [d2] by 16 vector {
                      schedule.run step
                    }
                  }
                }
                schedule.run finish
              }
              schedule.for [d0, d1] by 1 serial {
                schedule.for [d2] by 1 vector {
                  schedule.run out
                }
              }
            }
          }
        }
      }
    }
    kernel.nest [batch, bcast(length, min(length, 512)), 12, 64] into (%val_39) {
      %784 = kernel.sweep [768] (dot) {
        %785 = kernel.load %val_44[d0, d1, d4] : f32
        %786 = kernel.load %val_76[d4, d2*64 + d3] : f32
        %787 = scalar.apply mul(%785, %786) : f32
        kernel.yield %787
      } : f32
      kernel.store %784 to 0[d0, d1, d2*64 + d3]
      schedule.tree {
        schedule.pack right by 64
        schedule.for [d0, d1] by 170 parallel {
          schedule.pack left by 5
          schedule.for [d2, d3] by 64 serial {
            schedule.for [d0, d1] by 5 serial {
              schedule.run start
              schedule.for [d4] by 512 serial {
                schedule.run init
                schedule.for [d4] by 1 serial {
                  schedule.for [d0, d1] by 1 unroll {
                    schedule.for [d2, d3] by 16 vector {
                      schedule.run step
                    }
                  }
                }
                schedule.run finish
              }
              schedule.for [d0, d1] by 1 serial {
                schedule.for [d2, d3] by 1 vector {
                  schedule.run out
                }
              }
            }
          }
        }
      }
    }
    kernel.nest [batch, bcast(length, min(length, 512)), 768] into (%val_40) {
      %788 = kernel.sweep [768] (dot) {
        %789 = kernel.load %val_44[d0, d1, d3] : f32
        %790 = kernel.load %val_77[d3, d2] : f32
        %791 = scalar.apply mul(%789, %790) : f32
        kernel.yield %791
      } : f32
      kernel.store %788 to 0[d0, d1, d2]
      schedule.tree {
        schedule.pack right by 64
        schedule.for [d0, d1] by 170 parallel {
          schedule.pack left by 5
          schedule.for [d2] by 64 serial {
            schedule.for [d0, d1] by 5 serial {
              schedule.run start
              schedule.for [d3] by 512 serial {
                schedule.run init
                schedule.for [d3] by 1 serial {
                  schedule.for [d0, d1] by 1 unroll {
                    schedule.for [d2] by 16 vector {
                      schedule.run step
                    }
                  }
                }
                schedule.run finish
              }
              schedule.for [d0, d1] by 1 serial {
                schedule.for [d2] by 1 vector {
                  schedule.run out
                }
              }
            }
          }
        }
      }
    }
    kernel.nest [batch, floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64), length, 64] into (%transpose_5) {
      %792 = kernel.load %val_39[floordiv(d0*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length + d2*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64) + d1, bcast(length, min(length, 512))*12), mod(floordiv(d0*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length + d2*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64) + d1, 12), bcast(length, min(length, 512))), d3 + mod(d0*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length + d2*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64) + d1, 12)*64] : f32
      %793 = kernel.load %57[d3 + mod(d0*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length + d2*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64) + d1, 12)*64] : f32
      %794 = scalar.apply add(%792, %793) : f32
      kernel.store %794 to 0[d0, d1, d2, d3]
      schedule.tree {
        schedule.for [d0] by 1 parallel {
          schedule.for [d1] by 1 serial {
            schedule.for [d2] by 1 serial {
              schedule.for [d3] by 1 vector {
                schedule.run out
              }
            }
          }
        }
      }
    }
    kernel.nest [batch, floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64), length, length] into (%val_41) {
      %795 = scalar.constant 0.353553385 : f32
      %796 = kernel.sweep [64] (dot) {
        %797 = kernel.load %val_38[floordiv(d0*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length + d2*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64) + d1, bcast(length, min(length, 512))*12), mod(floordiv(d0*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length + d2*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64) + d1, 12), bcast(length, min(length, 512))), d4 + mod(d0*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length + d2*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64) + d1, 12)*64] : f32
        %798 = kernel.load %56[d4 + mod(d0*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length + d2*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64) + d1, 12)*64] : f32
        %799 = scalar.apply add(%797, %798) : f32
        %800 = scalar.apply mul(%799, %795) : f32
        %801 = kernel.load %transpose_5[d0, d1, d3, d4] : f32
        %802 = scalar.apply mul(%801, %795) : f32
        %803 = scalar.apply mul(%800, %802) : f32
        kernel.yield %803
      } : f32
      %804 = scalar.constant true
      %805 = scalar.index <d2> : i64
      %806 = scalar.constant 0 : i64
      %807 = scalar.apply ge(%805, %806) : i1
      %808 = scalar.apply and(%804, %807) : i1
      %809 = kernel.load %val_6[d0, 0, 0, d3] : i1
      %810 = scalar.apply and(%808, %809) : i1
      %811 = scalar.constant 0.000000e+00 : f32
      %812 = scalar.constant -3.40282347e+38 : f32
      %813 = scalar.apply select(%810, %811, %812) : f32
      %814 = scalar.apply add(%796, %813) : f32
      kernel.store %814 to 0[d0, d1, d2, d3]
      schedule.tree {
        schedule.pack right by 16
        schedule.for [d0] by 1 parallel {
          schedule.for [d1] by 1 parallel {
            schedule.for [d2] by 2046 parallel {
              schedule.pack left by 11
              schedule.for [d3] by 16 serial {
                schedule.for [d2] by 11 serial {
                  schedule.run init
                  schedule.for [d4] by 1 serial {
                    schedule.for [d2] by 1 unroll {
                      schedule.for [d3] by 16 vector {
                        schedule.run step
                      }
                    }
                  }
                  schedule.run finish
                  schedule.for [d2] by 1 serial {
                    schedule.for [d3] by 1 vector {
                      schedule.run out
                    }
                  }
                }
              }
            }
          }
        }
      }
    }
    kernel.nest [batch, floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64), length] into (%val_42) {
      %815 = kernel.sweep [length] (max_number) {
        %816 = kernel.load %val_41[d0, d1, d2, d3] : f32
        kernel.yield %816
      } : f32
      %817, %818 = kernel.sweep [length] lanes 64 (keep to 0[d0, d1, d2, d3], sum) {
        %819 = kernel.load %val_41[d0, d1, d2, d3] : f32
        %820 = scalar.apply sub(%815, %819) : f32
        %821 = scalar.apply exp_neg(%820) : f32
        kernel.yield %821, %821
      } : tensor<?xf32, #opc.dims<length>>, f32
      %822 = scalar.constant 0.000000e+00 : f32
      kernel.sweep [length] {
        %823 = kernel.load %817[d3] : f32
        %824 = scalar.apply div(%823, %818) : f32
        %825 = scalar.apply is_nan(%824) : i1
        %826 = scalar.apply select(%825, %822, %824) : f32
        kernel.store %826 to 0[d0, d1, d2, d3]
        kernel.yield
      }
      schedule.tree {
        schedule.if <-atleast(length, 33) + 1> {
          schedule.for [d0, d1, d2] by 64 parallel {
            schedule.pack_rows
            schedule.run sweep 0 padded
            schedule.run sweep 1 padded
            schedule.run sweep 2
            schedule.run out
          }
        } else {
          schedule.for [d0, d1, d2] by 64 parallel {
            schedule.pipeline [d0, d1, d2] sweep 1 by 64 {
              schedule.run sweep 0 lanes
              schedule.run sweep 1 strips
            } beside {
              schedule.run sweep 2
              schedule.run out
            }
          }
        }
      }
    }
    kernel.nest [batch, floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64), length, 64] into (%scaled_dot_product_attention_5) {
      %827 = kernel.sweep [length] (dot) {
        %828 = kernel.load %val_42[d0, d1, d2, d4] : f32
        %829 = kernel.load %val_40[floordiv(d0*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length + d4*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64) + d1, bcast(length, min(length, 512))*12), mod(floordiv(d0*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length + d4*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64) + d1, 12), bcast(length, min(length, 512))), d3 + mod(d0*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length + d4*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64) + d1, 12)*64] : f32
        %830 = kernel.load %58[d3 + mod(d0*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*length + d4*floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64) + d1, 12)*64] : f32
        %831 = scalar.apply add(%829, %830) : f32
        %832 = scalar.apply mul(%828, %831) : f32
        kernel.yield %832
      } : f32
      kernel.store %827 to 0[d0, d1, d2, d3]
      schedule.tree {
        schedule.pack left by 5
        schedule.pack right by 64
        schedule.for [d0] by 1 parallel {
          schedule.for [d1] by 1 parallel {
            schedule.for [d2] by 255 parallel {
              schedule.for [d3] by 64 serial {
                schedule.for [d2] by 5 serial {
                  schedule.run start
                  schedule.for [d4] by 512 serial {
                    schedule.run init
                    schedule.for [d4] by 1 serial {
                      schedule.for [d2] by 1 unroll {
                        schedule.for [d3] by 16 vector {
                          schedule.run step
                        }
                      }
                    }
                    schedule.run finish
                  }
                  schedule.for [d2] by 1 serial {
                    schedule.for [d3] by 1 vector {
                      schedule.run out
                    }
                  }
                }
              }
            }
          }
        }
      }
    }
    kernel.nest [batch, length, 768] into (%val_43) {
      %833 = kernel.sweep [floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)*64] (dot) {
        %834 = kernel.load %scaled_dot_product_attention_5[d0, mod(floordiv(d3, 64), floordiv(batch*bcast(length, min(length, 512))*768, batch*length*64)), d1, mod(d3, 64)] : f32
        %835 = kernel.load %val_78[d3, d2] : f32
        %836 = scalar.apply mul(%834, %835) : f32
        kernel.yield %836
      } : f32
      kernel.store %833 to 0[d0, d1, d2]
      schedule.tree {
        schedule.pack left by 5
        schedule.pack right by 64
        schedule.for [d0] by 1 parallel {
          schedule.for [d1] by 255 parallel {
            schedule.for [d2] by 64 serial {
              schedule.for [d1] by 5 serial {
                schedule.run start
                schedule.for [d3] by 512 serial {
                  schedule.run init
                  schedule.for [d3] by 1 serial {
                    schedule.for [d1] by 1 unroll {
                      schedule.for [d2] by 16 vector {
                        schedule.run step
                      }
                    }
                  }
                  schedule.run finish
                }
                schedule.for [d1] by 1 serial {
                  schedule.for [d2] by 1 vector {
                    schedule.run out
                  }
                }
              }
            }
          }
        }
      }
    }
    kernel.nest [batch, bcast(length, min(length, 512))] into (%val_44) {
      %837 = kernel.sweep [768] lanes 64 (sum) {
        %838 = kernel.load %val_43[d0, d1*nonunit(length), d2] : f32
        %839 = kernel.load %59[d2] : f32
        %840 = scalar.apply add(%838, %839) : f32
        %841 = kernel.load %val_44[d0, d1, d2] : f32
        %842 = scalar.apply add(%840, %841) : f32
        kernel.yield %842
      } : f32
      %843 = scalar.constant 7.680000e+02 : f32
      %844 = scalar.apply div(%837, %843) : f32
      %845 = kernel.sweep [768] lanes 64 (sum) {
        %846 = kernel.load %val_43[d0, d1*nonunit(length), d2] : f32
        %847 = kernel.load %59[d2] : f32
        %848 = scalar.apply add(%846, %847) : f32
        %849 = kernel.load %val_44[d0, d1, d2] : f32
        %850 = scalar.apply add(%848, %849) : f32
        %851 = scalar.apply sub(%850, %844) : f32
        %852 = scalar.apply mul(%851, %851) : f32
        kernel.yield %852
      } : f32
      %853 = scalar.apply div(%845, %843) : f32
      %854 = scalar.constant 1.000000e-12 : f32
      %855 = scalar.apply add(%853, %854) : f32
      %856 = scalar.apply sqrt(%855) : f32
      kernel.sweep [768] {
        %857 = kernel.load %val_43[d0, d1*nonunit(length), d2] : f32
        %858 = kernel.load %59[d2] : f32
        %859 = scalar.apply add(%857, %858) : f32
        %860 = kernel.load %val_44[d0, d1, d2] : f32
        %861 = scalar.apply add(%859, %860) : f32
        %862 = scalar.apply sub(%861, %844) : f32
        %863 = scalar.apply div(%862, %856) : f32
        %864 = kernel.load %60[d2] : f32
        %865 = scalar.apply mul(%863, %864) : f32
        %866 = kernel.load %61[d2] : f32
        %867 = scalar.apply add(%865, %866) : f32
        kernel.store %867 to 0[d0, d1, d2]
        kernel.yield
      }
      schedule.tree {
        schedule.for [d0] by 1 parallel {
          schedule.for [d1] by 1 serial {
            schedule.run sweep 0 groups
            schedule.run sweep 1 groups
            schedule.run sweep 2
            schedule.run out
          }
        }
      }
    }
    kernel.nest [batch, bcast(length, min(length, 512)), 3072] into (%gelu_5) {
      %868 = kernel.sweep [768] (dot) {
        %869 = kernel.load %val_44[d0, d1, d3] : f32
        %870 = kernel.load %val_79[d3, d2] : f32
        %871 = scalar.apply mul(%869, %870) : f32
        kernel.yield %871
      } : f32
      %872 = kernel.load %62[d2] : f32
      %873 = scalar.apply add(%868, %872) : f32
      %874 = scalar.apply gelu(%873) : f32
      kernel.store %874 to 0[d0, d1, d2]
      schedule.tree {
        schedule.pack right by 64
        schedule.for [d0, d1] by 170 parallel {
          schedule.pack left by 5
          schedule.for [d2] by 64 serial {
            schedule.for [d0, d1] by 5 serial {
              schedule.run start
              schedule.for [d3] by 512 serial {
                schedule.run init
                schedule.for [d3] by 1 serial {
                  schedule.for [d0, d1] by 1 unroll {
                    schedule.for [d2] by 16 vector {
                      schedule.run step
                    }
                  }
                }
                schedule.run finish
              }
              schedule.for [d0, d1] by 1 serial {
                schedule.for [d2] by 1 vector {
                  schedule.run out
                }
              }
            }
          }
        }
      }
    }
    kernel.nest [batch, bcast(length, min(length, 512)), 768] into (%out0) {
      %875 = kernel.sweep [3072] (dot) {
        %876 = kernel.load %gelu_5[d0, d1, d3] : f32
        %877 = kernel.load %val_80[d3, d2] : f32
        %878 = scalar.apply mul(%876, %877) : f32
        kernel.yield %878
      } : f32
      kernel.store %875 to 0[d0, d1, d2]
      schedule.tree {
        schedule.pack right by 64
        schedule.for [d0, d1] by 40 parallel {
          schedule.pack left by 5
          schedule.for [d2] by 64 serial {
            schedule.for [d0, d1] by 5 serial {
              schedule.run start
              schedule.for [d3] by 512 serial {
                schedule.run init
                schedule.for [d3] by 1 serial {
                  schedule.for [d0, d1] by 1 unroll {
                    schedule.for [d2] by 16 vector {
                      schedule.run step
                    }
                  }
                }
                schedule.run finish
              }
              schedule.for [d0, d1] by 1 serial {
                schedule.for [d2] by 1 vector {
                  schedule.run out
                }
              }
            }
          }
        }
      }
    }
    kernel.nest [batch, bcast(length, min(length, 512))] into (%out0) {
      %879 = kernel.sweep [768] lanes 64 (sum) {
        %880 = kernel.load %out0[d0, d1, d2] : f32
        %881 = kernel.load %63[d2] : f32
        %882 = scalar.apply add(%880, %881) : f32
        %883 = kernel.load %val_44[d0, d1, d2] : f32
        %884 = scalar.apply add(%882, %883) : f32
        kernel.yield %884
      } : f32
      %885 = scalar.constant 7.680000e+02 : f32
      %886 = scalar.apply div(%879, %885) : f32
      %887 = kernel.sweep [768] lanes 64 (sum) {
        %888 = kernel.load %out0[d0, d1, d2] : f32
        %889 = kernel.load %63[d2] : f32
        %890 = scalar.apply add(%888, %889) : f32
        %891 = kernel.load %val_44[d0, d1, d2] : f32
        %892 = scalar.apply add(%890, %891) : f32
        %893 = scalar.apply sub(%892, %886) : f32
        %894 = scalar.apply mul(%893, %893) : f32
        kernel.yield %894
      } : f32
      %895 = scalar.apply div(%887, %885) : f32
      %896 = scalar.constant 1.000000e-12 : f32
      %897 = scalar.apply add(%895, %896) : f32
      %898 = scalar.apply sqrt(%897) : f32
      kernel.sweep [768] {
        %899 = kernel.load %out0[d0, d1, d2] : f32
        %900 = kernel.load %63[d2] : f32
        %901 = scalar.apply add(%899, %900) : f32
        %902 = kernel.load %val_44[d0, d1, d2] : f32
        %903 = scalar.apply add(%901, %902) : f32
        %904 = scalar.apply sub(%903, %886) : f32
        %905 = scalar.apply div(%904, %898) : f32
        %906 = kernel.load %64[d2] : f32
        %907 = scalar.apply mul(%905, %906) : f32
        %908 = kernel.load %65[d2] : f32
        %909 = scalar.apply add(%907, %908) : f32
        kernel.store %909 to 0[d0, d1, d2]
        kernel.yield
      }
      schedule.tree {
        schedule.for [d0, d1] by 1 parallel {
          schedule.run sweep 0 groups
          schedule.run sweep 1 groups
          schedule.run sweep 2
          schedule.run out
        }
      }
    }
    func.return
  }
}
