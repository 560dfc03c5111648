package dev.mailroom.tlspolicy;

import java.util.Optional;

import dev.mailroom.database.JdbcTransactions;

import org.springframework.stereotype.Service;

/** The fetched policies, which all workers share. The methods block. */
@Service
public class StsPolicies {

	private final StsPolicyStore store;

	private final JdbcTransactions threads;

	StsPolicies(StsPolicyStore store, JdbcTransactions threads) {
		this.store = store;
		this.threads = threads;
	}

	/** The policy of a domain that was fetched last, which may have expired. */
	public Optional<StsPolicy> find(String domain) {
		return this.threads.acrossAccounts((jdbc) -> this.store.find(jdbc, domain));
	}

	/** Saves a policy, and removes some that have expired. */
	public void save(String domain, StsPolicy policy) {
		this.threads.runAcrossAccounts((jdbc) -> {
			this.store.save(jdbc, domain, policy);
			this.store.removeExpired(jdbc);
		});
	}

	/** Saves the result of the last session with a domain. */
	public void saveResult(String domain, String result) {
		this.threads.runAcrossAccounts((jdbc) -> this.store.saveResult(jdbc, domain, result));
	}

}
