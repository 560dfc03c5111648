package dev.mailroom.email;

import dev.mailroom.Page;
import org.jspecify.annotations.Nullable;

/**
 * Where a page's mails stand, so that the database walks over as few others as it can.
 *
 * @param source what is walked through
 * @param from the mail at or behind which it begins; null where that is the newest or,
 * going the other way, the oldest
 * @param including whether the mail at {@code from} belongs to it
 * @param oldestFirst whether to walk from the oldest on; the page is shown newest first
 * all the same
 * @param offset how many mails to walk over
 */
record LogQuery(Source source, Page.@Nullable Cursor from, boolean including, boolean oldestFirst, long offset,
		long limit) {

	/** What leads to the mails of a status. */
	enum Source {

		/** The mails themselves, whatever their status is. */
		ALL("email", "", ""),

		/** The mails themselves: of those that went well there are many. */
		COMMON("email", " and status = :status", ""),

		/** Those that went wrong stand apart. */
		TROUBLE("email_trouble", " and status = :status", ""),

		/** Few wait: the queue knows which. */
		QUEUE("email", " and status = :status", """
				 and id in (select email_id from delivery where account_id = :account and phase = 'queued'
				             union all
				            select email_id from delivery
				             where account_id = :account and phase in ('leased', 'in_data'))
				""");

		private final String table;

		private final String status;

		private final String further;

		Source(String table, String status, String further) {
			this.table = table;
			this.status = status;
			this.further = further;
		}

		boolean asksForStatus() {
			return this != ALL;
		}

	}

	/** The newest mails, or those behind a cursor. */
	static LogQuery newest(Source source, Page.@Nullable Cursor cursor, long offset, long limit) {
		return new LogQuery(source, cursor, false, false, offset, limit);
	}

	/** Mails near the list's end. */
	static LogQuery oldest(Source source, long offset, long limit) {
		return new LogQuery(source, null, false, true, offset, limit);
	}

	/** Mails at or behind a known one. */
	static LogQuery behind(Source source, Page.Cursor anchor, long offset, long limit) {
		return new LogQuery(source, anchor, true, false, offset, limit);
	}

	/** The query for it; its texts are all of this class. */
	String sql(Email.Filter filter) {
		String order = this.oldestFirst ? "asc" : "desc";
		return "select email.* from (select id from " + this.source.table + " where account_id = :account"
				+ ((filter.domainId() != null) ? " and domain_id = :domain" : "") + this.source.status
				+ this.source.further
				+ ((this.from != null)
						? " and (created_at, id) " + (this.including ? "<=" : "<") + " (:created, :after)" : "")
				+ " order by created_at " + order + ", id " + order + " limit :limit offset :offset) as page"
				+ " join email on email.id = page.id and email.account_id = :account"
				+ " order by email.created_at desc, email.id desc";
	}

}
