package dev.mailroom.bench.rows;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;

import dev.mailroom.bench.Load;
import dev.mailroom.bench.Stack;
import dev.mailroom.bench.report.Figure;
import dev.mailroom.process.Tenant;

/**
 * A burst to a destination with a rate limit, and one without: leases that are published
 * and write-ahead log that is written for each mail (G22).
 */
final class Limits implements Section {

	private static final String WRITTEN = "select pg_current_wal_insert_lsn() - '0/0'::pg_lsn";

	@Override
	public Set<Figure> figures() {
		return EnumSet.of(Figure.LIMITED_LEASES, Figure.LIMITED_WAL, Figure.UNLIMITED_WAL);
	}

	@Override
	public List<Step> prepare(Stack stack, Set<Figure> wanted) throws Exception {
		Tenant limited = stack.unsigned("limited.test");
		stack.deliverDirectly(limited);
		Load burst = stack.batches(limited, 4);
		Tenant relayed = stack.unsigned("unlimited.test");
		Load other = stack.batches(relayed, 4);
		return List.of(Step.of((out) -> {
			long mails = Size.LIMITED;
			out.add(Figure.UNLIMITED_WAL, written(stack, relayed, other, mails));
			long leases = stack.leases();
			out.add(Figure.LIMITED_WAL, written(stack, limited, burst, mails));
			out.add(Figure.LIMITED_LEASES, (double) (stack.leases() - leases) / mails);
		}, Figure.LIMITED_LEASES, Figure.LIMITED_WAL, Figure.UNLIMITED_WAL).inRounds(1));
	}

	/**
	 * Bytes of the write-ahead log for each mail, from its acceptance to its settlement.
	 */
	private static double written(Stack stack, Tenant tenant, Load load, long mails) throws Exception {
		stack.awaitSettled();
		long before = stack.number(WRITTEN);
		load.post(mails / Stack.BATCH);
		stack.awaitSettled(tenant);
		return (double) (stack.number(WRITTEN) - before) / mails;
	}

}
