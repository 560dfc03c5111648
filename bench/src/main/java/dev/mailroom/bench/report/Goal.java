package dev.mailroom.bench.report;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

import static dev.mailroom.bench.report.Goal.Kind.CPU;
import static dev.mailroom.bench.report.Goal.Kind.DIFFERENCE;
import static dev.mailroom.bench.report.Goal.Kind.FRACTION;
import static dev.mailroom.bench.report.Goal.Kind.RATIO;
import static dev.mailroom.bench.report.Goal.Kind.VALUE;

/**
 * A row of the table of goals. A design goal may have several.
 *
 * @param id name of the design goal, such as G1
 * @param text measured quantity
 * @param kind computation of the measured value
 * @param figure figure that is measured
 * @param reference figure that it is compared with; empty if there is none
 * @param atLeast whether the target is a lower bound instead of an upper one
 * @param target bound
 * @param stretch bound that is hoped for; NaN if there is none
 */
public record Goal(String id, String text, Kind kind, Figure figure, Optional<Figure> reference, boolean atLeast,
		double target, double stretch) {

	/** All rows of the table in their order. */
	public static final List<Goal> ALL = List.of(
			least("G1", "POST /emails ÷ pgbench, one-row commits", Figure.ACCEPT_ONE, Figure.PGBENCH_ONE, 1, 1.3),
			least("G1b", "the same with 50 accounts in turn", Figure.ACCEPT_MANY, Figure.PGBENCH_ONE, 0.9, 1.2),
			least("G2", "batches of 100 ÷ pgbench, 100 rows of unnest", Figure.ACCEPT_BATCH, Figure.PGBENCH_BATCH, 0.3,
					0.35),
			least("G3", "delivered, one by one ÷ Postfix", Figure.DELIVER_ONE, Figure.POSTFIX, 5, 6.5),
			least("G3", "the same ÷ Haraka", Figure.DELIVER_ONE, Figure.HARAKA, 4, Double.NaN),
			least("G4", "delivered, batches of 100 ÷ Postfix", Figure.DELIVER_BATCH, Figure.POSTFIX, 12, 15),
			least("G4", "the same ÷ Haraka", Figure.DELIVER_BATCH, Figure.HARAKA, 12, Double.NaN),
			least("G5", "signed, one by one ÷ Postfix", Figure.DELIVER_ONE_SIGNED, Figure.POSTFIX, 2.8, 3.5),
			least("G5", "signed, batches of 100 ÷ Postfix", Figure.DELIVER_BATCH_SIGNED, Figure.POSTFIX, 5, 6),
			most("G6", "CPU, one by one ÷ Postfix's", CPU, Figure.DELIVER_ONE, Figure.POSTFIX, 1 / 5.0, 1 / 8.0),
			most("G6", "CPU, batches of 100 ÷ Postfix's", CPU, Figure.DELIVER_BATCH, Figure.POSTFIX, 1 / 14.0,
					1 / 24.0),
			most("G6", "CPU, signed batches of 100 ÷ Postfix's", CPU, Figure.DELIVER_BATCH_SIGNED, Figure.POSTFIX,
					1 / 4.5, 1 / 5.5),
			most("G7", "accept → 250 at 50/s, p50 ÷ Postfix's", RATIO, Figure.STEADY_P50, Figure.POSTFIX_P50, 2, 1.3),
			most("G7", "the same ÷ Haraka's", FRACTION, Figure.STEADY_P50, Figure.HARAKA_P50, 1 / 6.0, Double.NaN),
			most("G7", "accept → 250 at 50/s, p99", Figure.STEADY_P99, 30, 15),
			most("G8", "POST /emails at half of its peak, p99", Figure.HALF_PEAK_P99, 20, 10),
			least("G9", "fan-out ÷ INSERT … SELECT of narrow rows", Figure.FAN_OUT, Figure.NARROW, 0.4, 0.7),
			least("G10", "campaign delivery ÷ G4's", Figure.CAMPAIGN, Figure.DELIVER_BATCH, 0.8, 0.95),
			most("G10", "first mail of a large campaign after its start", Figure.FIRST_MAIL, 1, 0.3),
			most("G11", "worker heap, small → large campaign", DIFFERENCE, Figure.HEAP_LARGE, Figure.HEAP_SMALL, 32, 8),
			most("G12", "log, page 1, many ÷ 10⁴ mails, p50", RATIO, Figure.LOG_MANY_P50, Figure.LOG_FEW_P50, 1.2,
					1.05),
			most("G12", "the same, p99", RATIO, Figure.LOG_MANY_P99, Figure.LOG_FEW_P99, 1.2, 1.05),
			most("G13", "log, half depth ÷ page 1, many mails", RATIO, Figure.LOG_HALF_P50, Figure.LOG_MANY_P50, 5, 2),
			most("G13", "log, half depth", Figure.LOG_HALF_P50, 10, Double.NaN),
			most("G14", "reputation metrics, many ÷ 10⁴ mails", RATIO, Figure.REPUTATION_MANY_P50,
					Figure.REPUTATION_FEW_P50, 1.2, 1.05),
			most("G14", "list of campaigns, many ÷ 10⁴ mails", RATIO, Figure.CAMPAIGNS_MANY_P50,
					Figure.CAMPAIGNS_FEW_P50, 1.2, 1.05),
			most("G15", "accept → 250 beside a burst ÷ without, p99", RATIO, Figure.BESIDE_P99, Figure.QUIET_P99, 2,
					1.5),
			most("G15", "the same, p50", RATIO, Figure.BESIDE_P50, Figure.QUIET_P50, 1.5, Double.NaN),
			most("G16", "accept p99 beside a burst ÷ without", RATIO, Figure.BESIDE_ACCEPT_P99, Figure.QUIET_ACCEPT_P99,
					3, 2),
			most("G17", "webhook p99, another endpoint hangs ÷ healthy", RATIO, Figure.WEBHOOK_HANGING_P99,
					Figure.WEBHOOK_P99, 1.3, 1.1),
			least("G17", "mail rate, endpoint hangs ÷ healthy", Figure.WEBHOOK_HANGING_RATE, Figure.WEBHOOK_RATE, 0.95,
					0.99),
			most("G19", "peak resident memory, API", Figure.MEMORY_API, 400, 300),
			most("G19", "peak resident memory, worker", Figure.MEMORY_WORKER, 400, 300),
			most("G20", "start of the API to ready", Figure.START_API, 5, 4),
			most("G20", "the same with an AOT cache", Figure.START_AOT, 2.5, 1.8),
			most("G20", "warm start of the standalone", Figure.START_STANDALONE, 8, 6),
			least("G21", "drain of a backlog ÷ G4's", Figure.DRAIN, Figure.DELIVER_BATCH, 0.9, 0.98),
			most("G21", "table bloat after it", Figure.BLOAT, 1.3, Double.NaN),
			most("G22", "leases for a mail to a rate-limited destination", Figure.LIMITED_LEASES, 1.2, 1.05),
			most("G22", "its write-ahead log ÷ that without a limit", RATIO, Figure.LIMITED_WAL, Figure.UNLIMITED_WAL,
					2, 1.3),
			most("G22", "accept → 250 of another account beside its waiting mail ÷ before, p50", RATIO,
					Figure.BESIDE_LIMITED_P50, Figure.UNDISTURBED_P50, 1.2, 1.05),
			most("G22", "the same, p99", RATIO, Figure.BESIDE_LIMITED_P99, Figure.UNDISTURBED_P99, 1.2, 1.05),
			most("G23", "hand-overs begun after a pause has answered", Figure.AFTER_PAUSE, 20, 0),
			most("G24", "turn of the dispatcher, empty queue, PostgreSQL 15 by default", Figure.TURN_15, 2, 1),
			most("G24", "the same, PostgreSQL 18", Figure.TURN_18, 2, 1));

	private static Goal least(String id, String text, Figure figure, Figure reference, double target, double stretch) {
		return new Goal(id, text, RATIO, figure, Optional.of(reference), true, target, stretch);
	}

	private static Goal most(String id, String text, Kind kind, Figure figure, Figure reference, double target,
			double stretch) {
		return new Goal(id, text, kind, figure, Optional.of(reference), false, target, stretch);
	}

	private static Goal most(String id, String text, Figure figure, double target, double stretch) {
		return new Goal(id, text, VALUE, figure, Optional.empty(), false, target, stretch);
	}

	/** Figures from which the row is computed. */
	public Stream<Figure> figures() {
		return Stream.concat(Stream.of(this.figure), this.reference.stream());
	}

	/**
	 * Goals with these names; all if there is none.
	 * @throws IllegalArgumentException if there is no goal with a name
	 */
	public static List<Goal> named(Set<String> names) {
		for (String name : names) {
			if (ALL.stream().noneMatch((goal) -> goal.id.equals(name))) {
				throw new IllegalArgumentException("No goal " + name + " in the table; G18 is measured by CrashTest");
			}
		}
		return ALL.stream().filter((goal) -> names.isEmpty() || names.contains(goal.id)).toList();
	}

	/** Measured value of each round. */
	List<Double> measured(Measurements all) {
		return all.pairs(this.figure, this.reference).stream().map((pair) -> switch (this.kind) {
			case RATIO, FRACTION -> pair.figure().value() / pair.reference().value();
			case CPU -> pair.figure().cpu() / pair.reference().cpu();
			case DIFFERENCE -> pair.figure().value() - pair.reference().value();
			case VALUE -> pair.figure().value();
		}).sorted().toList();
	}

	/** Whether a value reaches the target. */
	boolean isReachedBy(double value) {
		return this.atLeast ? value >= this.target : value <= this.target;
	}

	/** A value of this row as text. */
	String text(double value) {
		if (Double.isNaN(value)) {
			return "–";
		}
		return switch (this.kind) {
			case RATIO -> Table.number(value) + " ×";
			case CPU, FRACTION -> "1/" + Table.number(1 / value);
			case DIFFERENCE, VALUE -> Table.number(value) + " " + this.figure.unit();
		};
	}

	/** Computation of a row's value. */
	public enum Kind {

		/** Quotient of two figures. */
		RATIO,

		/** Quotient of two figures, as a fraction of one. */
		FRACTION,

		/** Quotient of the CPU times per mail of two figures, as a fraction of one. */
		CPU,

		/** Difference of two figures. */
		DIFFERENCE,

		/** A figure alone. */
		VALUE

	}

}
