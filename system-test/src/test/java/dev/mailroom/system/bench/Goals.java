package dev.mailroom.system.bench;

import java.util.Map;

/** Prints the measured ratios with their goals. */
final class Goals {

	private Goals() {
	}

	static void print(Map<String, Row> rows) {
		System.out.printf("%n%-52s %8s %8s%n", "ratio", "measured", "goal");
		rate(rows, "accepted, one by one", "pgbench, one-row commits", ">= 1.0");
		rate(rows, "accepted, batches of 100", "pgbench, 100 rows of unnest", ">= 0.5");
		String postfix = "Postfix, accept and relay";
		rate(rows, "delivered, one by one, unsigned", postfix, ">= 5");
		rate(rows, "delivered, batches of 100, unsigned", postfix, ">= 15");
		rate(rows, "delivered, one by one, signed", postfix, ">= 2.8");
		rate(rows, "delivered, batches of 100, signed", postfix, ">= 5");
		cpu(rows, "delivered, one by one, unsigned", postfix, "<= 1/5");
		cpu(rows, "delivered, batches of 100, unsigned", postfix, "<= 1/14");
		cpu(rows, "delivered, batches of 100, signed", postfix, "<= 1/4.5");
	}

	private static void rate(Map<String, Row> rows, String row, String reference, String goal) {
		Row measured = rows.get(row);
		Row compared = rows.get(reference);
		if (measured != null && compared != null) {
			System.out.printf("%-52s %8.2f %8s%n", row + " / " + reference.split(",", -1)[0],
					measured.rate() / compared.rate(), goal);
		}
	}

	private static void cpu(Map<String, Row> rows, String row, String reference, String goal) {
		Row measured = rows.get(row);
		Row compared = rows.get(reference);
		if (measured != null && compared != null) {
			System.out.printf("%-52s    1/%-5.1f %6s%n", "CPU: " + row, compared.cpu() / measured.cpu(), goal);
		}
	}

}
