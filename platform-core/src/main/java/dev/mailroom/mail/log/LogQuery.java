package dev.mailroom.mail.log;

import dev.mailroom.Page;
import org.jspecify.annotations.Nullable;

/**
 * The position and direction in which a page of emails is read, chosen to skip as few
 * rows as possible.
 *
 * @param source the table that is read
 * @param from the email at or after which the page begins or, if {@code oldestFirst},
 * before which it ends; null for the newest or, if {@code oldestFirst}, the oldest
 * @param including whether the email at {@code from} belongs to the page
 * @param oldestFirst whether to read from the oldest email, or from {@code from} to the
 * newer ones; a page without {@code from} is returned newest first in any case
 * @param offset emails to skip
 */
record LogQuery(Source source, Page.@Nullable Cursor from, boolean including, boolean oldestFirst, long offset,
		long limit) {

	private static final String READY = "select email_id from queue where account_id = :account and ready";

	private static final String LATER = """
			select email_id from queue where account_id = :account and not ready and held is null
			 union all
			select email_id from queue where account_id = :account and held is not null""";

	/** Ids of an account's emails with deliveries in the queue, by index. */
	static final String QUEUED = READY + " union all " + LATER;

	/** As {@link #QUEUED}, those first that wait for a time. */
	static final String LATER_FIRST = LATER + " union all " + READY;

	/** Table and conditions that find the emails of a status. */
	enum Source {

		/** All emails. */
		ALL("email", "", ""),

		/** Emails of a status that many emails have. */
		COMMON("email", " and status = :status", ""),

		/** Emails that failed, which have a table of their own. */
		TROUBLE("email_trouble", " and status = :status", ""),

		/** Pending emails if they are few, found through the queue. */
		QUEUE("email", " and status = :status", " and id in (" + QUEUED + ")");

		private final String table;

		private final String statusCondition;

		private final String queueCondition;

		Source(String table, String statusCondition, String queueCondition) {
			this.table = table;
			this.statusCondition = statusCondition;
			this.queueCondition = queueCondition;
		}

		/** Whether an index has the order of the page. */
		boolean isInOrder() {
			return this != QUEUE;
		}

		boolean bindsStatus() {
			return this != ALL;
		}

	}

	/** The newest emails, or those after a cursor. */
	static LogQuery newest(Source source, Page.@Nullable Cursor cursor, long offset, long limit) {
		return new LogQuery(source, cursor, false, false, offset, limit);
	}

	/** Emails newer than a cursor, the next one first. */
	static LogQuery before(Source source, Page.Cursor cursor, long limit) {
		return new LogQuery(source, cursor, false, true, 0, limit);
	}

	/** Emails near the end of the list. */
	static LogQuery oldest(Source source, long offset, long limit) {
		return new LogQuery(source, null, false, true, offset, limit);
	}

	/** Emails at or after an anchor. */
	static LogQuery fromAnchor(Source source, Page.Cursor anchor, long offset, long limit) {
		return new LogQuery(source, anchor, true, false, offset, limit);
	}

	private String comparison() {
		if (this.oldestFirst) {
			return ">";
		}
		return this.including ? "<=" : "<";
	}

	/** The SQL of the query; values are bound, never part of the text. */
	String sql(Email.Filter filter) {
		String order = this.oldestFirst ? "asc" : "desc";
		String returned = (this.from != null) ? order : "desc";
		return "select email.* from (select id from " + this.source.table + " where account_id = :account"
				+ ((filter.domainId() != null) ? " and domain_id = :domain" : "") + this.source.statusCondition
				+ this.source.queueCondition
				+ ((this.from != null) ? " and (created_at, id) " + comparison() + " (:created, :after)" : "")
				+ " order by created_at " + order + ", id " + order + " limit :limit offset :offset) as page"
				+ " join email on email.id = page.id and email.account_id = :account" + " order by email.created_at "
				+ returned + ", email.id " + returned;
	}

}
