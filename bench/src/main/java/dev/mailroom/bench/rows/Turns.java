package dev.mailroom.bench.rows;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.mailroom.DefaultServer;
import dev.mailroom.bench.Stack;
import dev.mailroom.bench.report.Figure;
import dev.mailroom.mail.queue.LeaseStep;
import dev.mailroom.mail.queue.Queue;

import org.springframework.context.ConfigurableApplicationContext;

/**
 * Time of a turn of the dispatcher with an empty queue, on servers with PostgreSQL's
 * default settings (G24).
 */
final class Turns implements Section {

	private static final Map<Figure, Integer> RELEASES = Map.of(Figure.TURN_15, DefaultServer.OLDEST, Figure.TURN_18,
			18);

	private static final int TURNS = 200;

	@Override
	public Set<Figure> figures() {
		return EnumSet.copyOf(RELEASES.keySet());
	}

	@Override
	public List<Step> prepare(Stack stack, Set<Figure> wanted) {
		return RELEASES.entrySet()
			.stream()
			.map((release) -> Step.of((out) -> out.add(release.getKey(), turn(release.getValue())), release.getKey()))
			.toList();
	}

	/** Median of the turns in milliseconds, after as many that are not counted. */
	private static double turn(int release) throws Exception {
		try (DefaultServer server = new DefaultServer(release); ConfigurableApplicationContext core = server.core()) {
			Queue queue = core.getBean(Queue.class);
			turns(queue);
			return Arrays.stream(turns(queue)).sorted().skip(TURNS / 2).findFirst().orElseThrow() / 1e6;
		}
	}

	private static long[] turns(Queue queue) {
		long[] times = new long[TURNS];
		for (int i = 0; i < TURNS; i++) {
			long start = System.nanoTime();
			LeaseStep.lease(queue, LeaseStep.window(1_000, 500));
			times[i] = System.nanoTime() - start;
		}
		return times;
	}

}
