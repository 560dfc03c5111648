package dev.mailroom.sdk;

import java.util.List;
import java.util.function.Consumer;

/**
 * Operations of <code>trackingDomains</code>.
 */
public final class TrackingDomains {

	final Transport transport;

	TrackingDomains(Transport transport) {
		this.transport = transport;
	}

	/**
	 * List tracking domains, the oldest first. An account has at most ten. Permission:
	 * domains.read.
	 */
	public List<TrackingDomain> list() {
		return this.transport.json(new Call("trackingDomains.list", "GET", "/tracking-domains"))
			.object("data")
			.list("trackingDomains", TrackingDomain::of);
	}

	/**
	 * Add a tracking domain. Its name must be below that of a verified domain. Publish
	 * the CNAME record of the response. New mails of the domain have the name in links,
	 * pixels and unsubscription once a request over HTTPS has reached it. Permission:
	 * domains.write.
	 */
	public TrackingDomain create(NewTrackingDomain body) {
		return TrackingDomain
			.of(this.transport.json(new Call("trackingDomains.create", "POST", "/tracking-domains").json(body))
				.object("data")
				.object("trackingDomain"));
	}

	/**
	 * Add a tracking domain. Its name must be below that of a verified domain. Publish
	 * the CNAME record of the response. New mails of the domain have the name in links,
	 * pixels and unsubscription once a request over HTTPS has reached it. Permission:
	 * domains.write.
	 */
	public TrackingDomain create(Consumer<NewTrackingDomain> fields) {
		NewTrackingDomain body = new NewTrackingDomain();
		fields.accept(body);
		return create(body);
	}

	/**
	 * Delete a tracking domain. New mails no longer have the name. Its links in sent
	 * mails work for 90 more days if its record stays. Permission: domains.write.
	 */
	public void delete(String id) {
		this.transport
			.nothing(new Call("trackingDomains.delete", "DELETE", "/tracking-domains/" + Transport.encoded(id)));
	}

	/**
	 * Check a tracking domain. The check begins within seconds. The response has the
	 * result of the last one. Permission: domains.write.
	 */
	public TrackingDomain verify(String id) {
		return TrackingDomain.of(this.transport
			.json(new Call("trackingDomains.verify", "POST", "/tracking-domains/" + Transport.encoded(id) + "/verify"))
			.object("data")
			.object("trackingDomain"));
	}

}
