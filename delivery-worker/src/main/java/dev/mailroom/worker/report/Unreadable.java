package dev.mailroom.worker.report;

import java.io.IOException;
import java.util.Locale;

/** A mail with a report that is not read. The message has no content of the mail. */
public class Unreadable extends IOException {

	private static final long serialVersionUID = 1;

	private final Reason reason;

	Unreadable(Reason reason, String message) {
		super(message);
		this.reason = reason;
	}

	/** The reason. */
	public Reason reason() {
		return this.reason;
	}

	/** Reasons for which a report is not read. */
	public enum Reason {

		/** The mail, or the unpacked report, is too large. */
		TOO_LARGE,
		/** No part of the mail is a report. */
		NO_REPORT,
		/** The archive is broken or encrypted. */
		NOT_PACKED,
		/** The archive has several members. */
		SEVERAL_MEMBERS,
		/** The report is much larger than what it was unpacked from. */
		BOMB,
		/** The report is no well-formed XML. */
		NOT_XML,
		/** The report is no well-formed JSON. */
		NOT_JSON,
		/** The report has a document type, which could name entities. */
		DOCUMENT_TYPE,
		/** The report has too many rows. */
		TOO_MANY_ROWS,
		/** The report lacks its id or period, or has an impossible one. */
		INCOMPLETE,
		/** Reading takes too long. */
		TOO_SLOW;

		/** The value of labels. */
		public String label() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

}
