package dev.mailroom.trackingdomain;

import dev.mailroom.database.JdbcTransactions;
import dev.mailroom.database.Transactions;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/** Keeps the last check of the certificate with which this installation receives mail. */
@Service
public class InboundCertificates {

	private final HostedPolicyStore store;

	private final JdbcTransactions threads;

	private final Transactions transactions;

	private final TrackingDomainSettings settings;

	InboundCertificates(HostedPolicyStore store, JdbcTransactions threads, Transactions transactions,
			TrackingDomainSettings settings) {
		this.store = store;
		this.threads = threads;
		this.transactions = transactions;
		this.settings = settings;
	}

	/** The host that MX records of tenants name. */
	public String host() {
		return this.settings.mxHost();
	}

	/** Keeps a check; blocks. */
	public void save(InboundCertificate certificate) {
		this.threads.runAcrossAccounts((jdbc) -> this.store.save(jdbc, certificate));
	}

	/** The last check of the present host; empty before one. */
	public Mono<InboundCertificate> find() {
		return this.transactions.acrossAccounts(this.store.certificate(host()));
	}

}
