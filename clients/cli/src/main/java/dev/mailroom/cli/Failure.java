package dev.mailroom.cli;

/** An end of the program that is no success: its exit code, and an error to print. */
final class Failure extends RuntimeException {

	static final int REFUSED = 1;

	static final int USAGE = 2;

	static final int NOT_SIGNED_IN = 3;

	static final int PERMISSION = 4;

	static final int NOT_FOUND = 5;

	static final int LIMITED = 6;

	static final int UNREACHABLE = 7;

	static final int IN_VAIN = 8;

	private static final long serialVersionUID = 1;

	private final int code;

	private final String name;

	Failure(int code, String name, String message) {
		super(message);
		this.code = code;
		this.name = name;
	}

	static Failure usage(String message) {
		return new Failure(USAGE, "usage", message);
	}

	int code() {
		return this.code;
	}

	String name() {
		return this.name;
	}

}
