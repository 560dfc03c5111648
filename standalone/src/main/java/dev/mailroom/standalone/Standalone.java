package dev.mailroom.standalone;

/** Starts everything in one process. */
public final class Standalone {

	private Standalone() {
	}

	/** Starts Mailroom. */
	public static void main(String[] arguments) {
		System.out.println("Mailroom");
	}

}
