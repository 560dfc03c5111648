package dev.mailroom.sdk;

import java.util.Base64;

/**
 * An attachment.
 */
public final class Attachment extends Fields {

	/**
	 * Sets the field <code>filename</code>.
	 */
	public Attachment filename(String filename) {
		set("filename", filename);
		return this;
	}

	/**
	 * Sets the field <code>content</code>.
	 */
	public Attachment content(String content) {
		set("content", content);
		return this;
	}

	/**
	 * Sets the field <code>content</code>.
	 */
	public Attachment content(byte[] content) {
		set("content", Base64.getEncoder().encodeToString(content));
		return this;
	}

	/**
	 * Sets the field <code>contentType</code>: MIME type.
	 */
	public Attachment contentType(String contentType) {
		set("contentType", contentType);
		return this;
	}

	/**
	 * Sets the field <code>content_id</code>: Content-ID, for references in the HTML as
	 * <code>cid:…</code>.
	 */
	public Attachment contentId(String contentId) {
		set("content_id", contentId);
		return this;
	}

}
