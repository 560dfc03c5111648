package dev.mailroom.sdk;

import java.util.List;
import java.util.function.Consumer;

/**
 * Operations of <code>inbound</code>.
 */
public final class Inbound {

	final Transport transport;

	Inbound(Transport transport) {
		this.transport = transport;
	}

	/**
	 * List received mail, newest first. With an API key, only mail of the key's domain.
	 * The response has no field <code>success</code>. Permission: inbound.read.
	 */
	public Items<InboundItem> list(InboundListQuery query) {
		return this.transport.list(new Call("inbound.list", "GET", "/inbound").query(query), "emails", InboundItem::of);
	}

	/**
	 * List received mail, newest first. With an API key, only mail of the key's domain.
	 * The response has no field <code>success</code>. Permission: inbound.read.
	 */
	public Items<InboundItem> list() {
		return list(new InboundListQuery());
	}

	/**
	 * List received mail, newest first. With an API key, only mail of the key's domain.
	 * The response has no field <code>success</code>. Permission: inbound.read.
	 */
	public Items<InboundItem> list(Consumer<InboundListQuery> query) {
		InboundListQuery fields = new InboundListQuery();
		query.accept(fields);
		return list(fields);
	}

	/**
	 * List the routes of a domain in their order. Permission: inbound.read.
	 */
	public List<InboundRoute> routes(InboundRoutesQuery query) {
		return this.transport.json(new Call("inbound.routes", "GET", "/inbound/routes").query(query))
			.object("data")
			.list("routes", InboundRoute::of);
	}

	/**
	 * List the routes of a domain in their order. Permission: inbound.read.
	 */
	public List<InboundRoute> routes() {
		return routes(new InboundRoutesQuery());
	}

	/**
	 * List the routes of a domain in their order. Permission: inbound.read.
	 */
	public List<InboundRoute> routes(Consumer<InboundRoutesQuery> query) {
		InboundRoutesQuery fields = new InboundRoutesQuery();
		query.accept(fields);
		return routes(fields);
	}

	/**
	 * Add a route after the others of its domain. The first active route that matches a
	 * recipient applies; without a match the mail is stored. A change applies to new mail
	 * within five seconds. A domain has at most 100 routes. Permission: domains.write.
	 */
	public InboundRoute createRoute(NewInboundRoute body) {
		return InboundRoute
			.of(this.transport.json(new Call("inbound.createRoute", "POST", "/inbound/routes").json(body))
				.object("data")
				.object("route"));
	}

	/**
	 * Add a route after the others of its domain. The first active route that matches a
	 * recipient applies; without a match the mail is stored. A change applies to new mail
	 * within five seconds. A domain has at most 100 routes. Permission: domains.write.
	 */
	public InboundRoute createRoute(Consumer<NewInboundRoute> fields) {
		NewInboundRoute body = new NewInboundRoute();
		fields.accept(body);
		return createRoute(body);
	}

	/**
	 * Put the routes of a domain in another order. Permission: domains.write.
	 */
	public List<InboundRoute> orderRoutes(InboundRouteOrder body) {
		return this.transport.json(new Call("inbound.orderRoutes", "POST", "/inbound/routes/order").json(body))
			.object("data")
			.list("routes", InboundRoute::of);
	}

	/**
	 * Put the routes of a domain in another order. Permission: domains.write.
	 */
	public List<InboundRoute> orderRoutes(Consumer<InboundRouteOrder> fields) {
		InboundRouteOrder body = new InboundRouteOrder();
		fields.accept(body);
		return orderRoutes(body);
	}

	/**
	 * Show what applies to mail to an address. Permission: inbound.read.
	 */
	public InboundRouteMatch testRoute(InboundRecipient body) {
		return InboundRouteMatch
			.of(this.transport.json(new Call("inbound.testRoute", "POST", "/inbound/routes/test").json(body))
				.object("data"));
	}

	/**
	 * Show what applies to mail to an address. Permission: inbound.read.
	 */
	public InboundRouteMatch testRoute(Consumer<InboundRecipient> fields) {
		InboundRecipient body = new InboundRecipient();
		fields.accept(body);
		return testRoute(body);
	}

	/**
	 * Change a route. Permission: domains.write.
	 */
	public InboundRoute updateRoute(String routeId, InboundRouteChange body) {
		return InboundRoute.of(this.transport
			.json(new Call("inbound.updateRoute", "PUT", "/inbound/routes/" + Transport.encoded(routeId)).json(body))
			.object("data")
			.object("route"));
	}

	/**
	 * Change a route. Permission: domains.write.
	 */
	public InboundRoute updateRoute(String routeId, Consumer<InboundRouteChange> fields) {
		InboundRouteChange body = new InboundRouteChange();
		fields.accept(body);
		return updateRoute(routeId, body);
	}

	/**
	 * Delete a route. Permission: domains.write.
	 */
	public void deleteRoute(String routeId) {
		this.transport
			.nothing(new Call("inbound.deleteRoute", "DELETE", "/inbound/routes/" + Transport.encoded(routeId)));
	}

	/**
	 * List the addresses to which routes may forward mail, oldest first. Permission:
	 * inbound.read.
	 */
	public List<ForwardTarget> targets() {
		return this.transport.json(new Call("inbound.targets", "GET", "/inbound/targets"))
			.object("data")
			.list("targets", ForwardTarget::of);
	}

	/**
	 * Add an address to which routes may forward mail. Its owner gets a mail with a link
	 * to confirm, valid for seven days; no mail is forwarded before. Addresses at
	 * verified domains of the account need none. An account has at most 100 targets.
	 * Permission: domains.write.
	 */
	public ForwardTarget createTarget(NewForwardTarget body) {
		return ForwardTarget
			.of(this.transport.json(new Call("inbound.createTarget", "POST", "/inbound/targets").json(body))
				.object("data")
				.object("target"));
	}

	/**
	 * Add an address to which routes may forward mail. Its owner gets a mail with a link
	 * to confirm, valid for seven days; no mail is forwarded before. Addresses at
	 * verified domains of the account need none. An account has at most 100 targets.
	 * Permission: domains.write.
	 */
	public ForwardTarget createTarget(Consumer<NewForwardTarget> fields) {
		NewForwardTarget body = new NewForwardTarget();
		fields.accept(body);
		return createTarget(body);
	}

	/**
	 * Delete a forward target. Routes no longer forward mail to it. Permission:
	 * domains.write.
	 */
	public void deleteTarget(String targetId) {
		this.transport
			.nothing(new Call("inbound.deleteTarget", "DELETE", "/inbound/targets/" + Transport.encoded(targetId)));
	}

	/**
	 * Mail another link to confirm a forward target. Permission: domains.write.
	 */
	public ForwardTarget resendTarget(String targetId) {
		return ForwardTarget
			.of(this.transport
				.json(new Call("inbound.resendTarget", "POST",
						"/inbound/targets/" + Transport.encoded(targetId) + "/resend"))
				.object("data")
				.object("target"));
	}

	/**
	 * Show a received mail with its content. Permission: inbound.read.
	 */
	public InboundEmail get(String id) {
		return InboundEmail.of(this.transport.json(new Call("inbound.get", "GET", "/inbound/" + Transport.encoded(id)))
			.object("data")
			.object("email"));
	}

	/**
	 * Get the unmodified source of a received mail. Permission: inbound.read.
	 */
	public byte[] source(String id) {
		return this.transport.bytes(new Call("inbound.source", "GET", "/inbound/" + Transport.encoded(id) + "/raw"));
	}

	/**
	 * Get an attachment of a received mail. Permission: inbound.read.
	 */
	public byte[] attachment(String id, int n) {
		return this.transport.bytes(new Call("inbound.attachment", "GET",
				"/inbound/" + Transport.encoded(id) + "/attachments/" + Transport.encoded(n)));
	}

}
