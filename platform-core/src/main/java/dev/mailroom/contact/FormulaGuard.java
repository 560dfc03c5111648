package dev.mailroom.contact;

/**
 * Prevents spreadsheets from evaluating contact data as a formula (CSV injection). The
 * export puts an apostrophe before a value that begins like a formula, and the import
 * removes it.
 */
public final class FormulaGuard {

	/**
	 * The last four are the full-width forms, which Japanese spreadsheets evaluate too.
	 */
	private static final String FORMULA_STARTS = "=+-@\t\r\n\uff1d\uff0b\uff0d\uff20";

	private FormulaGuard() {
	}

	/** The value with an apostrophe before it if it begins like a formula. */
	static String escape(String value) {
		return startsFormula(value, 0) ? "'" + value : value;
	}

	/** The value without the apostrophe of the export. */
	public static String unescape(String value) {
		return (value.startsWith("'") && startsFormula(value, 1)) ? value.substring(1) : value;
	}

	private static boolean startsFormula(String value, int index) {
		return value.length() > index && FORMULA_STARTS.indexOf(value.charAt(index)) >= 0;
	}

}
