// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Two ways to use an interconnect: a blocking initiator that runs ahead of simulated time, and a
// non-blocking one with several transactions under way. Each writes random data to both memories
// and reads it back.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/tlm_quantumkeeper.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <random>
#include <systemc>
#include <tlm>

inline constexpr unsigned int kBurstBytes = 64;

/// Statistics of an initiator.
struct Figures {
    unsigned int reads = 0;
    unsigned int writes = 0;
    unsigned int errors = 0;  ///< bad responses and bytes that were not what had been written
    sc_core::sc_time total;
    sc_core::sc_time longest;

    void add(const tlm::tlm_generic_payload& payload, const sc_core::sc_time& latency, bool good) {
        (payload.is_read() ? reads : writes) += 1;
        errors += good ? 0 : 1;
        total += latency;
        longest = std::max(longest, latency);
    }
};

/// The accesses of one initiator: each burst is written to its own place, in both memories in turn,
/// and read back.
class Accesses {
public:
    /// `region` keeps initiators apart; `memory_bytes` is the distance of the memories.
    Accesses(unsigned int seed, unsigned int bursts, std::uint64_t region,
             std::uint64_t memory_bytes)
        : random_(seed), bursts_(bursts), region_(region), memory_bytes_(memory_bytes) {}

    unsigned int bursts() const { return bursts_; }
    std::uint64_t address(unsigned int burst) const {
        return burst % 2 * memory_bytes_ + region_ + burst / 2 * kBurstBytes;
    }
    void fill(unsigned char* data) {
        std::generate(data, data + kBurstBytes,
                      [this] { return static_cast<unsigned char>(random_()); });
    }

private:
    std::mt19937 random_;
    unsigned int bursts_;
    std::uint64_t region_;
    std::uint64_t memory_bytes_;
};

/// Writes a burst, reads it back, works a while; all in local time, up to the global quantum.
class BlockingInitiator final : public sc_core::sc_module {
public:
    tlm_utils::simple_initiator_socket<BlockingInitiator> socket{"socket"};

    SC_HAS_PROCESS(BlockingInitiator);
    BlockingInitiator(sc_core::sc_module_name name, const Accesses& accesses)
        : sc_module(name), accesses_(accesses) {
        SC_THREAD(run);
    }

    const Figures& figures() const { return figures_; }

private:
    void run() {
        tlm_utils::tlm_quantumkeeper keeper;
        keeper.reset();
        for (unsigned int burst = 0; burst < accesses_.bursts(); ++burst) {
            std::array<unsigned char, kBurstBytes> written;
            std::array<unsigned char, kBurstBytes> read{};
            accesses_.fill(written.data());
            access(tlm::TLM_WRITE_COMMAND, burst, written.data(), keeper);
            const bool good = access(tlm::TLM_READ_COMMAND, burst, read.data(), keeper);
            if (good && read != written) ++figures_.errors;
            keeper.inc({10, sc_core::SC_NS});
            if (keeper.need_sync()) keeper.sync();
        }
    }

    bool access(tlm::tlm_command command, unsigned int burst, unsigned char* data,
                tlm_utils::tlm_quantumkeeper& keeper) {
        tlm::tlm_generic_payload payload;
        payload.set_command(command);
        payload.set_address(accesses_.address(burst));
        payload.set_data_ptr(data);
        payload.set_data_length(kBurstBytes);
        payload.set_streaming_width(kBurstBytes);
        const sc_core::sc_time start = keeper.get_current_time();
        sc_core::sc_time delay = keeper.get_local_time();
        socket->b_transport(payload, delay);
        keeper.set(delay);
        figures_.add(payload, keeper.get_current_time() - start, payload.is_response_ok());
        return payload.is_response_ok();
    }

    Accesses accesses_;
    Figures figures_;
};

/// Writes all bursts one after the other, then reads them; the interconnect says when it takes the
/// next one.
class NonBlockingInitiator final : public sc_core::sc_module, public tlm::tlm_mm_interface {
public:
    tlm_utils::simple_initiator_socket<NonBlockingInitiator> socket{"socket"};

    SC_HAS_PROCESS(NonBlockingInitiator);
    NonBlockingInitiator(sc_core::sc_module_name name, const Accesses& accesses)
        : sc_module(name), accesses_(accesses) {
        socket.register_nb_transport_bw(this, &NonBlockingInitiator::on_phase);
        for (unsigned int burst = 0; burst < accesses_.bursts(); ++burst) {
            transactions_.emplace_back(*this, accesses_.address(burst));
            accesses_.fill(transactions_.back().written.data());
        }
        SC_THREAD(run);
    }

    const Figures& figures() const { return figures_; }
    /// Nothing to free: the transactions are ours, and used again.
    void free(tlm::tlm_generic_payload* payload) override { payload->reset(); }

private:
    struct Transaction {
        Transaction(tlm::tlm_mm_interface& manager, std::uint64_t address) : payload(&manager) {
            payload.set_address(address);
            payload.set_data_length(kBurstBytes);
            payload.set_streaming_width(kBurstBytes);
        }
        tlm::tlm_generic_payload payload;
        std::array<unsigned char, kBurstBytes> written{};
        std::array<unsigned char, kBurstBytes> read{};
        sc_core::sc_time start;
    };

    void run() {
        for (const tlm::tlm_command command : {tlm::TLM_WRITE_COMMAND, tlm::TLM_READ_COMMAND}) {
            for (Transaction& transaction : transactions_) issue(transaction, command);
            while (under_way_ != 0) wait(changed_);
        }
    }

    void issue(Transaction& transaction, tlm::tlm_command command) {
        tlm::tlm_generic_payload& payload = transaction.payload;
        payload.acquire();
        payload.set_command(command);
        payload.set_data_ptr(command == tlm::TLM_READ_COMMAND ? transaction.read.data()
                                                              : transaction.written.data());
        payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        transaction.start = sc_core::sc_time_stamp();
        ++under_way_;
        requesting_ = &payload;
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_core::sc_time delay;
        if (socket->nb_transport_fw(payload, phase, delay) == tlm::TLM_COMPLETED) {
            requesting_ = nullptr;
            finish(transaction);  // there is no such address
        }
        while (requesting_ != nullptr) wait(changed_);
    }

    tlm::tlm_sync_enum on_phase(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                sc_core::sc_time&) {
        if (requesting_ == &payload) requesting_ = nullptr;
        changed_.notify(sc_core::SC_ZERO_TIME);
        if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
        const auto is_it = [&](const Transaction& t) { return &t.payload == &payload; };
        finish(*std::find_if(transactions_.begin(), transactions_.end(), is_it));
        return tlm::TLM_COMPLETED;
    }

    void finish(Transaction& transaction) {
        const tlm::tlm_generic_payload& payload = transaction.payload;
        const bool good = payload.is_response_ok() &&
                          (payload.is_write() || transaction.read == transaction.written);
        figures_.add(payload, sc_core::sc_time_stamp() - transaction.start, good);
        --under_way_;
        transaction.payload.release();
    }

    Accesses accesses_;
    Figures figures_;
    std::deque<Transaction> transactions_;  // payloads cannot be moved
    tlm::tlm_generic_payload* requesting_ = nullptr;
    unsigned int under_way_ = 0;
    sc_core::sc_event changed_;
};
