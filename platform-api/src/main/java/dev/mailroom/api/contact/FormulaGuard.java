package dev.mailroom.api.contact;

/**
 * Keeps a spreadsheet from taking what somebody wrote into a field for a formula: such a
 * value goes out behind an apostrophe, and loses it on its way in.
 */
final class FormulaGuard {

	private static final String BEGINNINGS = "=+-@\t\r";

	private FormulaGuard() {
	}

	static String guarded(String value) {
		return begins(value, 0) ? "'" + value : value;
	}

	static String bare(String value) {
		return (value.startsWith("'") && begins(value, 1)) ? value.substring(1) : value;
	}

	private static boolean begins(String value, int at) {
		return value.length() > at && BEGINNINGS.indexOf(value.charAt(at)) >= 0;
	}

}
