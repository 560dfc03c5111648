package dev.mailroom.bench.rows;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.mailroom.api.PlatformApi;
import dev.mailroom.bench.HttpConnection;
import dev.mailroom.bench.Load;
import dev.mailroom.bench.Meter;
import dev.mailroom.bench.Pgbench;
import dev.mailroom.bench.Sample;
import dev.mailroom.bench.Stack;
import dev.mailroom.bench.report.Figure;
import dev.mailroom.process.Program;
import dev.mailroom.process.Tenant;

/**
 * Mails accepted per second in comparison with PostgreSQL's commits (G1, G2), and mails
 * delivered per second with their CPU time (G3 to G6). Mails are accepted alone by an API
 * whose database has no worker.
 */
final class Throughput implements Section {

	private static final String ACCEPTING = "accepting";

	private static final int CLIENTS = 64;

	private static final int BATCH_CLIENTS = 4;

	private static final int ACCOUNTS = 50;

	private static final String ROW = "insert into one_row values (gen_random_uuid(), gen_random_uuid(), 'b@to.test', "
			+ "'Your order has left', 'pending');";

	private static final String ROWS = "insert into one_row select gen_random_uuid(), gen_random_uuid(), 'b@to.test', "
			+ "'Your order has left', 'pending' from unnest(array(select generate_series(1, 100)));";

	private static final Set<Figure> ACCEPTED = EnumSet.of(Figure.ACCEPT_ONE, Figure.ACCEPT_MANY, Figure.ACCEPT_BATCH);

	private final List<Step> steps = new ArrayList<>();

	private final List<Section.Action> warming = new ArrayList<>();

	@Override
	public Set<Figure> figures() {
		return EnumSet.of(Figure.PGBENCH_ONE, Figure.ACCEPT_ONE, Figure.ACCEPT_MANY, Figure.PGBENCH_BATCH,
				Figure.ACCEPT_BATCH, Figure.DELIVER_ONE, Figure.DELIVER_BATCH, Figure.DELIVER_ONE_SIGNED,
				Figure.DELIVER_BATCH_SIGNED);
	}

	@Override
	public List<Step> prepare(Stack stack, Set<Figure> wanted) throws Exception {
		if (!Collections.disjoint(wanted, ACCEPTED)) {
			accepting(stack, wanted);
		}
		Tenant unsigned = stack.unsigned("unsigned.test");
		delivering(stack, unsigned, Figure.DELIVER_ONE, Figure.DELIVER_BATCH);
		Tenant signed = stack.tenant("signed.test");
		delivering(stack, signed, Figure.DELIVER_ONE_SIGNED, Figure.DELIVER_BATCH_SIGNED);
		return this.steps;
	}

	/** API and worker are warmed for all sections. */
	@Override
	public void warmUp() throws Exception {
		for (Section.Action action : this.warming) {
			action.run(Recording.NONE);
		}
	}

	private void accepting(Stack stack, Set<Figure> wanted) throws Exception {
		if (Pgbench.isInstalled()) {
			Pgbench one = new Pgbench(stack.database(), stack.directory(), ROW, CLIENTS, 1);
			Pgbench many = new Pgbench(stack.database(), stack.directory(), ROWS, BATCH_CLIENTS, Stack.BATCH);
			this.steps.add(Step.of((out) -> out.add(Figure.PGBENCH_ONE, one.run(Size.SECONDS)), Figure.PGBENCH_ONE));
			this.steps
				.add(Step.of((out) -> out.add(Figure.PGBENCH_BATCH, many.run(Size.SECONDS)), Figure.PGBENCH_BATCH));
		}
		else {
			this.steps.add(Step.of((out) -> out.missing(EnumSet.of(Figure.PGBENCH_ONE, Figure.PGBENCH_BATCH),
					"pgbench is not installed"), Figure.PGBENCH_ONE, Figure.PGBENCH_BATCH));
		}
		stack.database().furnish(ACCEPTING);
		Program api = stack.start(ACCEPTING, PlatformApi.class, ACCEPTING);
		Tenant tenant = Tenant.in(api, stack.database(), ACCEPTING, "accepting.test");
		Load one = new Load(api.apiPort(), "/api/emails", tenant.key(), tenant.mail(), CLIENTS,
				stack.ledger().accepted(ACCEPTING));
		Load batch = new Load(api.apiPort(), "/api/emails/batch", tenant.key(), tenant.batch(Stack.BATCH),
				BATCH_CLIENTS, stack.ledger().accepted(ACCEPTING));
		Meter meter = new Meter(stack.database(), Map.of("API", api::cpu));
		this.steps
			.add(Step.of((out) -> out.add(Figure.ACCEPT_ONE, accept(one, 1, meter, Size.SECONDS)), Figure.ACCEPT_ONE));
		this.steps.add(Step.of((out) -> out.add(Figure.ACCEPT_BATCH, accept(batch, Stack.BATCH, meter, Size.SECONDS)),
				Figure.ACCEPT_BATCH));
		if (wanted.contains(Figure.ACCEPT_MANY)) {
			List<byte[]> requests = new ArrayList<>();
			for (int i = 0; i < ACCOUNTS; i++) {
				Tenant other = Tenant.another(api, stack.database(), ACCEPTING, "accepting-" + i + ".test");
				requests.add(HttpConnection.request("/api/emails", other.key(), other.mail()));
			}
			Load many = new Load(api.apiPort(), requests, CLIENTS, stack.ledger().accepted(ACCEPTING));
			this.steps.add(Step.of((out) -> out.add(Figure.ACCEPT_MANY, accept(many, 1, meter, Size.SECONDS)),
					Figure.ACCEPT_MANY));
		}
		this.warming.add((_) -> accept(one, 1, meter, 1));
		this.warming.add((_) -> accept(batch, Stack.BATCH, meter, 1));
	}

	private static Sample accept(Load load, int mails, Meter meter, int seconds) throws Exception {
		Meter.Reading before = meter.read();
		long start = System.nanoTime();
		long posted = load.postFor(seconds * 1_000_000_000L);
		return meter.since(before, posted * mails, System.nanoTime() - start);
	}

	private void delivering(Stack stack, Tenant tenant, Figure singles, Figure batches) {
		Load one = stack.singles(tenant, CLIENTS);
		Load batch = stack.batches(tenant, BATCH_CLIENTS);
		this.steps
			.add(Step.of((out) -> out.add(singles, stack.deliver(tenant, one, 2000L * Size.SECONDS, 1)), singles));
		this.steps.add(Step.of((out) -> out.add(batches, stack.deliver(tenant, batch, 50L * Size.SECONDS, Stack.BATCH)),
				batches));
	}

}
