// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A RISC-V core (RV32) as a TLM-2.0 initiator: unicorn, the emulator of QEMU as a library, executes
// the instructions; loads and stores of shared memory are blocking transports.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <unicorn/unicorn.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

/// Each instruction takes a cycle, and a load or store the time of its transport beside that. The
/// core runs ahead of simulated time between its accesses. Its instructions are in a memory of its
/// own.
class Core final : public sc_core::sc_module {
public:
    static constexpr std::uint64_t kShared = 0x80000000;
    tlm_utils::simple_initiator_socket<Core> socket{"socket"};

    /// Starts at address 0, with its number in register a0, and stops behind the last byte of
    /// `program`.
    SC_HAS_PROCESS(Core);
    Core(sc_core::sc_module_name name, std::uint32_t number,
         const std::vector<std::uint8_t>& program, std::size_t shared_bytes,
         const sc_core::sc_time& cycle)
        : sc_module(name), number_(number), end_(program.size()), cycle_(cycle) {
        constexpr std::size_t kOwnBytes = 0x1000;
        check(uc_open(UC_ARCH_RISCV, UC_MODE_RISCV32, &cpu_));
        check(uc_mem_map(cpu_, 0, kOwnBytes, UC_PROT_READ | UC_PROT_EXEC));
        check(uc_mem_write(cpu_, 0, program.data(), program.size()));
        check(uc_mmio_map(cpu_, kShared, shared_bytes, on_load, this, on_store, this));
        uc_hook hook = 0;
        check(uc_hook_add(cpu_, &hook, UC_HOOK_CODE, reinterpret_cast<void*>(on_instruction), this,
                          std::uint64_t{1}, std::uint64_t{0}));
        SC_THREAD(run);
        set_stack_size(1 << 20);  // the emulator takes more than a thread has
    }
    ~Core() override { uc_close(cpu_); }

    std::uint64_t instructions() const { return instructions_; }
    std::uint64_t accesses() const { return accesses_; }
    /// Whether the program has come to its end, and no access was an error.
    bool finished() const { return finished_; }
    /// Register a0, which has the result of the program.
    std::uint32_t result() const {
        std::uint32_t value = 0;
        check(uc_reg_read(cpu_, UC_RISCV_REG_A0, &value));
        return value;
    }

private:
    static void check(uc_err error) {
        if (error != UC_ERR_OK) throw std::runtime_error(uc_strerror(error));
    }

    void run() {
        check(uc_reg_write(cpu_, UC_RISCV_REG_A0, &number_));
        check(uc_emu_start(cpu_, 0, end_, 0, 0));
        sc_core::wait(ahead_);
        finished_ = !failed_;
    }

    static void on_instruction(uc_engine*, std::uint64_t, std::uint32_t, void* self) {
        Core& core = *static_cast<Core*>(self);
        ++core.instructions_;
        core.ahead_ += core.cycle_;
    }
    static std::uint64_t on_load(uc_engine*, std::uint64_t offset, unsigned int size, void* self) {
        std::uint64_t value = 0;
        static_cast<Core*>(self)->access(tlm::TLM_READ_COMMAND, offset, value, size);
        return value;
    }
    static void on_store(uc_engine*, std::uint64_t offset, unsigned int size, std::uint64_t value,
                         void* self) {
        static_cast<Core*>(self)->access(tlm::TLM_WRITE_COMMAND, offset, value, size);
    }

    void access(tlm::tlm_command command, std::uint64_t offset, std::uint64_t& value,
                unsigned int size) {
        tlm::tlm_generic_payload payload;
        payload.set_command(command);
        payload.set_address(kShared + offset);
        payload.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
        payload.set_data_length(size);
        payload.set_streaming_width(size);
        socket->b_transport(payload, ahead_);
        ++accesses_;
        if (payload.is_response_error()) {
            uc_emu_stop(cpu_);  // no exception may pass through the emulator
            failed_ = true;
        }
    }

    std::uint32_t number_;
    std::uint64_t end_;
    sc_core::sc_time cycle_;
    uc_engine* cpu_ = nullptr;
    sc_core::sc_time ahead_;  // of simulated time
    std::uint64_t instructions_ = 0;
    std::uint64_t accesses_ = 0;
    bool failed_ = false;
    bool finished_ = false;
};
