package dev.mailroom.worker.send;

import org.springframework.stereotype.Component;

/** The use of the lanes of this worker, for operators. */
@Component
public class LaneUse {

	private final LaneQueue queue;

	LaneUse(LaneQueue queue) {
		this.queue = queue;
	}

	/** The present use. */
	public Reading read() {
		return this.queue.use();
	}

	/**
	 * The use at one time.
	 *
	 * @param inHand mails that were taken from the topic and are not finished
	 * @param busy lanes that send
	 * @param lanes all lanes
	 */
	public record Reading(int inHand, int busy, int lanes) {
	}

}
