package dev.mailroom.standalone.demo;

import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Runs steps that do not depend on each other at the same time. */
final class ParallelSteps {

	private ParallelSteps() {
	}

	/** Returns when all steps have ended; the error of one is that of all. */
	static void run(Step... steps) throws IOException, InterruptedException {
		try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
			List<Future<?>> running = new ArrayList<>();
			for (Step step : steps) {
				running.add(threads.submit(() -> {
					step.run();
					return null;
				}));
			}
			for (Future<?> each : running) {
				each.get();
			}
		}
		catch (ExecutionException ex) {
			throw new IOException("A step of the demo account failed", ex.getCause());
		}
	}

	/** A part of the work. */
	interface Step {

		void run() throws IOException, InterruptedException, SQLException;

	}

}
