package dev.mailroom.sdk;

import java.util.List;
import java.util.function.Consumer;

/**
 * Operations of <code>suppressions</code>.
 */
class SuppressionsOperations {

	final Transport transport;

	SuppressionsOperations(Transport transport) {
		this.transport = transport;
	}

	/**
	 * List suppressed addresses, newest first. Permission: suppressions.read.
	 */
	public Items<Suppression> list(SuppressionsListQuery query) {
		return this.transport.list(new Call("suppressions.list", "GET", "/suppressions").query(query), "suppressions",
				Suppression::of);
	}

	/**
	 * List suppressed addresses, newest first. Permission: suppressions.read.
	 */
	public Items<Suppression> list() {
		return list(new SuppressionsListQuery());
	}

	/**
	 * List suppressed addresses, newest first. Permission: suppressions.read.
	 */
	public Items<Suppression> list(Consumer<SuppressionsListQuery> query) {
		SuppressionsListQuery fields = new SuppressionsListQuery();
		query.accept(fields);
		return list(fields);
	}

	/**
	 * Suppress an address. Permission: suppressions.write.
	 */
	public Suppression add(NewSuppression body) {
		return Suppression
			.of(this.transport.json(new Call("suppressions.add", "POST", "/suppressions").repeatable().json(body))
				.object("data")
				.object("suppression"));
	}

	/**
	 * Suppress an address. Permission: suppressions.write.
	 */
	public Suppression add(Consumer<NewSuppression> fields) {
		NewSuppression body = new NewSuppression();
		fields.accept(body);
		return add(body);
	}

	/**
	 * Suppress up to 1000 addresses. All addresses are added or none. Permission:
	 * suppressions.write.
	 */
	SuppressedMany addAllOnce(List<NewSuppression> body) {
		return SuppressedMany.of(this.transport
			.json(new Call("suppressions.addAll", "POST", "/suppressions/bulk").repeatable().json(body))
			.object("data"));
	}

	/**
	 * Remove an address from the list. Permission: suppressions.write.
	 */
	public void remove(String id) {
		this.transport.nothing(new Call("suppressions.remove", "DELETE", "/suppressions/" + Transport.encoded(id)));
	}

}
