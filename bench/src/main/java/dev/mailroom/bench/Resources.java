package dev.mailroom.bench;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Started programs and open connections. They are closed in reverse order, also when the
 * benchmark fails or is interrupted by a signal.
 */
public final class Resources implements AutoCloseable {

	private final Deque<AutoCloseable> open = new ArrayDeque<>();

	public Resources() {
		Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(this::end));
	}

	/** Adds a resource and returns it. */
	public synchronized <T extends AutoCloseable> T add(T resource) {
		this.open.push(resource);
		return resource;
	}

	/** Closes all resources; one that cannot be closed is reported. */
	@Override
	public synchronized void close() {
		while (!this.open.isEmpty()) {
			try {
				this.open.pop().close();
			}
			catch (Exception ex) {
				System.out.println("not closed: " + ex);
			}
		}
	}

	/**
	 * Closes all resources and ends the processes that were started and not added yet.
	 */
	private void end() {
		close();
		ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
	}

}
