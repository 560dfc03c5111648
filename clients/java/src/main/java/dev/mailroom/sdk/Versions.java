package dev.mailroom.sdk;

/** The versions of this library and of the API that it was generated from. */
final class Versions {

	static final String LIBRARY = "0.1.0";

	static final String API = "2026-11-01";

	private Versions() {
	}

}
