// What the router of FlooNoC v0.5.0 needs of itself and of common_cells v1.37.0, as fetch.sh gets them.
+incdir+fetched/common_cells/include
fetched/common_cells/src/cf_math_pkg.sv
fetched/common_cells/src/lzc.sv
fetched/common_cells/src/rr_arb_tree.sv
fetched/common_cells/src/fifo_v3.sv
fetched/common_cells/src/spill_register_flushable.sv
fetched/common_cells/src/stream_fifo.sv
fetched/common_cells/src/stream_fifo_optimal_wrap.sv
fetched/common_cells/src/stream_arbiter_flushable.sv
fetched/common_cells/src/stream_arbiter.sv
fetched/FlooNoC/hw/floo_pkg.sv
fetched/FlooNoC/hw/floo_route_select.sv
fetched/FlooNoC/hw/floo_wormhole_arbiter.sv
fetched/FlooNoC/hw/floo_vc_arbiter.sv
fetched/FlooNoC/hw/floo_router.sv
floonoc_router.sv
