package dev.mailroom.mail.queue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/** The dispatcher as it leases: with one window, or as if it had just started. */
public final class LeaseStep {

	private LeaseStep() {
	}

	/** An empty window without a limit for destinations. */
	public static Window window(int size, int share) {
		return new Window(size, share, Duration.ofMinutes(1), Duration.ZERO, share);
	}

	/** Leases all that is due, as a dispatcher that has just started. */
	public static List<Lease> lease(Queue queue) {
		return lease(queue, window(100_000, 50_000));
	}

	/** Leases all for which the window has room. */
	public static List<Lease> lease(Queue queue, Window window) {
		List<Lease> leases = new ArrayList<>();
		queue.compare(window);
		Queue.Turn turn;
		do {
			turn = queue.next(window);
			leases.addAll(turn.leases());
		}
		while (turn.again());
		return leases;
	}

	/** Returns hand-overs that have expired to the queue; the number of them. */
	public static int recover(Queue queue) {
		Window window = window(100_000, 50_000);
		for (@Nullable
		UUID searched = Window.START; searched != null;) {
			searched = queue.findClaimed(window, searched);
		}
		return queue.compare(window);
	}

}
