package dev.mailroom.blob;

/** The bucket has no such object, and a retry does not help. */
public final class BlobGone extends RuntimeException {

	private static final long serialVersionUID = 1L;

	BlobGone(String key) {
		super("The bucket has no object " + key);
	}

}
