package dev.mailroom.sdk;

import java.util.List;
import java.util.function.Consumer;

/**
 * Operations of <code>domains</code>.
 */
class DomainsOperations {

	final Transport transport;

	DomainsOperations(Transport transport) {
		this.transport = transport;
	}

	/**
	 * List domains, newest first. Permission: domains.read.
	 */
	public Items<Domain> list(DomainsListQuery query) {
		return this.transport.list(new Call("domains.list", "GET", "/domains").query(query), "domains", Domain::of);
	}

	/**
	 * List domains, newest first. Permission: domains.read.
	 */
	public Items<Domain> list() {
		return list(new DomainsListQuery());
	}

	/**
	 * List domains, newest first. Permission: domains.read.
	 */
	public Items<Domain> list(Consumer<DomainsListQuery> query) {
		DomainsListQuery fields = new DomainsListQuery();
		query.accept(fields);
		return list(fields);
	}

	/**
	 * Add a domain. The name is converted to lower case and IDNA. Publish the records of
	 * the response, then verify the domain. Permission: domains.write.
	 */
	public Domain create(NewDomain body) {
		return Domain.of(this.transport.json(new Call("domains.create", "POST", "/domains").repeatable().json(body))
			.object("data")
			.object("domain"));
	}

	/**
	 * Add a domain. The name is converted to lower case and IDNA. Publish the records of
	 * the response, then verify the domain. Permission: domains.write.
	 */
	public Domain create(Consumer<NewDomain> fields) {
		NewDomain body = new NewDomain();
		fields.accept(body);
		return create(body);
	}

	/**
	 * Show a domain. Permission: domains.read.
	 */
	public Domain get(String id) {
		return Domain.of(this.transport.json(new Call("domains.get", "GET", "/domains/" + Transport.encoded(id)))
			.object("data")
			.object("domain"));
	}

	/**
	 * Change the tracking, transport and TLS settings of a domain. Permission:
	 * domains.write.
	 */
	public Domain update(String id, DomainChange body) {
		return Domain
			.of(this.transport.json(new Call("domains.update", "PATCH", "/domains/" + Transport.encoded(id)).json(body))
				.object("data")
				.object("domain"));
	}

	/**
	 * Change the tracking, transport and TLS settings of a domain. Permission:
	 * domains.write.
	 */
	public Domain update(String id, Consumer<DomainChange> fields) {
		DomainChange body = new DomainChange();
		fields.accept(body);
		return update(id, body);
	}

	/**
	 * Delete a domain. Also revokes its API keys. Permission: domains.write.
	 */
	public void delete(String id) {
		this.transport.nothing(new Call("domains.delete", "DELETE", "/domains/" + Transport.encoded(id)));
	}

	/**
	 * Look up the DNS records of a domain now. A domain is verified when its ownership
	 * and DKIM records are found. Permission: domains.write.
	 */
	public Domain verify(String id) {
		return Domain.of(this.transport
			.json(new Call("domains.verify", "POST", "/domains/" + Transport.encoded(id) + "/verify").repeatable())
			.object("data")
			.object("domain"));
	}

	/**
	 * Rotate the DKIM keys of a domain. The old keys are used until the records of the
	 * new ones are found. Permission: domains.write.
	 */
	public Domain rotateDkim(String id) {
		return Domain.of(
				this.transport
					.json(new Call("domains.rotateDkim", "POST", "/domains/" + Transport.encoded(id) + "/dkim/rotate")
						.repeatable())
					.object("data")
					.object("domain"));
	}

	/**
	 * Show what receivers report about a domain, and its DMARC policy. Figures of the
	 * aggregate reports (RFC 9990) that begin on these days, by default the last 30. The
	 * policy is looked up now. Permission: domains.read.
	 */
	public DomainDmarc dmarc(String id, DomainsDmarcQuery query) {
		return DomainDmarc.of(this.transport
			.json(new Call("domains.dmarc", "GET", "/domains/" + Transport.encoded(id) + "/dmarc").query(query))
			.object("data")
			.object("dmarc"));
	}

	/**
	 * Show what receivers report about a domain, and its DMARC policy. Figures of the
	 * aggregate reports (RFC 9990) that begin on these days, by default the last 30. The
	 * policy is looked up now. Permission: domains.read.
	 */
	public DomainDmarc dmarc(String id) {
		return dmarc(id, new DomainsDmarcQuery());
	}

	/**
	 * Show what receivers report about a domain, and its DMARC policy. Figures of the
	 * aggregate reports (RFC 9990) that begin on these days, by default the last 30. The
	 * policy is looked up now. Permission: domains.read.
	 */
	public DomainDmarc dmarc(String id, Consumer<DomainsDmarcQuery> query) {
		DomainsDmarcQuery fields = new DomainsDmarcQuery();
		query.accept(fields);
		return dmarc(id, fields);
	}

	/**
	 * Show what senders report about TLS with the servers that receive mail for a domain.
	 * Figures of the reports (RFC 8460) that begin on these days, by default the last 30.
	 * Permission: domains.read.
	 */
	public DomainTlsReports tlsReports(String id, DomainsTlsReportsQuery query) {
		return DomainTlsReports.of(
				this.transport
					.json(new Call("domains.tlsReports", "GET", "/domains/" + Transport.encoded(id) + "/tls-reports")
						.query(query))
					.object("data")
					.object("tls_reports"));
	}

	/**
	 * Show what senders report about TLS with the servers that receive mail for a domain.
	 * Figures of the reports (RFC 8460) that begin on these days, by default the last 30.
	 * Permission: domains.read.
	 */
	public DomainTlsReports tlsReports(String id) {
		return tlsReports(id, new DomainsTlsReportsQuery());
	}

	/**
	 * Show what senders report about TLS with the servers that receive mail for a domain.
	 * Figures of the reports (RFC 8460) that begin on these days, by default the last 30.
	 * Permission: domains.read.
	 */
	public DomainTlsReports tlsReports(String id, Consumer<DomainsTlsReportsQuery> query) {
		DomainsTlsReportsQuery fields = new DomainsTlsReportsQuery();
		query.accept(fields);
		return tlsReports(id, fields);
	}

	/**
	 * Show the hosted MTA-STS policy of a domain. Permission: domains.read.
	 */
	public HostedPolicy policy(String id) {
		return HostedPolicy
			.of(this.transport.json(new Call("domains.policy", "GET", "/domains/" + Transport.encoded(id) + "/mta-sts"))
				.object("data")
				.object("mta_sts"));
	}

	/**
	 * Host the MTA-STS policy of a domain, or change its mode. For domains whose only
	 * mail server is that of this platform. Publish the records of the response; after a
	 * change of the mode the TXT record has another value. The mode <code>enforce</code>
	 * follows 14 days of <code>testing</code> without failures in reports. The same mode
	 * again has the name of the policy checked. Permission: domains.write.
	 */
	public HostedPolicy choosePolicy(String id, HostedPolicyChoice body) {
		return HostedPolicy.of(this.transport
			.json(new Call("domains.choosePolicy", "PUT", "/domains/" + Transport.encoded(id) + "/mta-sts").json(body))
			.object("data")
			.object("mta_sts"));
	}

	/**
	 * Host the MTA-STS policy of a domain, or change its mode. For domains whose only
	 * mail server is that of this platform. Publish the records of the response; after a
	 * change of the mode the TXT record has another value. The mode <code>enforce</code>
	 * follows 14 days of <code>testing</code> without failures in reports. The same mode
	 * again has the name of the policy checked. Permission: domains.write.
	 */
	public HostedPolicy choosePolicy(String id, Consumer<HostedPolicyChoice> fields) {
		HostedPolicyChoice body = new HostedPolicyChoice();
		fields.accept(body);
		return choosePolicy(id, body);
	}

	/**
	 * End the hosted MTA-STS policy of a domain. Its name serves the mode
	 * <code>none</code> for 90 more days, if the CNAME record stays. Change the id of the
	 * TXT record, and delete both records after two weeks, when no sender has the former
	 * policy any more. Permission: domains.write.
	 */
	public void deletePolicy(String id) {
		this.transport
			.nothing(new Call("domains.deletePolicy", "DELETE", "/domains/" + Transport.encoded(id) + "/mta-sts"));
	}

	/**
	 * Check a domain against the rules of large providers for bulk senders. Permission:
	 * domains.read.
	 */
	public List<ReadinessCheck> readiness(String id) {
		return this.transport
			.json(new Call("domains.readiness", "GET", "/domains/" + Transport.encoded(id) + "/readiness"))
			.object("data")
			.list("checks", ReadinessCheck::of);
	}

}
