package dev.mailroom;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;

/**
 * Work on several things at the same time, on virtual threads, for a caller that waits
 * for all of it.
 */
public final class Parallel {

	private Parallel() {
	}

	/**
	 * Applies the work to each thing. If the calling thread is interrupted, the work in
	 * progress is interrupted too.
	 * @param threads number of things in work at the same time
	 * @return the results in the order of the things
	 * @throws RuntimeException of the first work that failed, after all have ended
	 */
	public static <T, R> List<R> map(Collection<T> things, int threads, Function<T, R> work) {
		try (ExecutorService executor = Executors.newFixedThreadPool(threads, Thread.ofVirtual().factory())) {
			List<Callable<R>> calls = things.stream().<Callable<R>>map((thing) -> () -> work.apply(thing)).toList();
			List<R> results = new ArrayList<>();
			for (Future<R> result : executor.invokeAll(calls)) {
				results.add(result.get());
			}
			return results;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("The work was interrupted", ex);
		}
		catch (ExecutionException ex) {
			throw (ex.getCause() instanceof RuntimeException failure) ? failure
					: new IllegalStateException(ex.getCause());
		}
	}

}
