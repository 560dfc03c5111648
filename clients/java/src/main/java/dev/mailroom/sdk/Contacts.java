package dev.mailroom.sdk;

import java.util.function.Consumer;

/** Operations of contacts. */
public final class Contacts extends ContactsOperations {

	Contacts(Transport transport) {
		super(transport);
	}

	/** Adds or updates any number of contacts, in calls of 1000. */
	public Saved saveAll(String contactBookId, Iterable<NewContact> contacts) {
		return saveAll(contactBookId, contacts, (query) -> {
		});
	}

	/** Adds or updates any number of contacts, in calls of 1000. */
	public Saved saveAll(String contactBookId, Iterable<NewContact> contacts, Consumer<ContactsSaveAllQuery> query) {
		ContactsSaveAllQuery fields = new ContactsSaveAllQuery();
		query.accept(fields);
		long[] sum = new long[2];
		Waiting.inParts(contacts, this.transport, (part, its) -> {
			BulkResult result = new Contacts(its).saveAllOnce(contactBookId, part, fields);
			sum[0] += result.count();
			sum[1] += result.updated();
		});
		return new Saved(sum[0], sum[1]);
	}

	/** Numbers of contacts that were added and updated. */
	public record Saved(long count, long updated) {
	}

}
