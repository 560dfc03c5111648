package dev.mailroom;

/**
 * Share of its resources that bulk work may use while light work is done beside it. It
 * begins with the least share, falls with each piece of light work that takes much longer
 * than without bulk work, and grows with each other one, so that about one piece in four
 * is slow. Without light work, bulk work may use everything.
 */
public final class BulkShare {

	/** Part of the share that is taken away by a slow piece of light work. */
	private static final double DECREASE = 0.05;

	/** Part of all resources that is added by each other one. */
	private static final double INCREASE = 0.005;

	/** A piece has a larger effect if more time than this has passed since the last. */
	private static final double INTERVAL_NANOS = 50_000_000;

	private static final double MAX_EFFECT = 10;

	/** A piece is slow if it takes longer than this multiple of the usual time. */
	private static final double SLOW = 1.5;

	/** Longer times than the usual one that are never slow. */
	private static final long TOLERANCE_NANOS = 1_000_000;

	/** Part of the usual time that one piece replaces. */
	private static final int WEIGHT = 16;

	/**
	 * The same beside the least share of bulk work: if light work stays slow, bulk work
	 * is not the cause.
	 */
	private static final int WEIGHT_AT_LEAST = 512;

	/** The usual time until one was measured. */
	private static final long FIRST_USUAL_NANOS = 5_000_000;

	/** Time after the last piece of light work, until which the share is reduced. */
	private static final long MEMORY_NANOS = 1_000_000_000;

	private final double least;

	private double share = 1;

	private long usual = FIRST_USUAL_NANOS;

	private long lastLight = System.nanoTime() - MEMORY_NANOS;

	/**
	 * Creates the share.
	 * @param least part of all resources that bulk work may use in any case
	 */
	public BulkShare(double least) {
		this.least = least;
	}

	/** The present share, from the least to 1. */
	public synchronized double get() {
		return (System.nanoTime() - this.lastLight < MEMORY_NANOS) ? this.share : 1;
	}

	/**
	 * Records a piece of light work.
	 * @param nanos its duration
	 * @param beside whether bulk work was done meanwhile
	 */
	public synchronized void light(long nanos, boolean beside) {
		long now = System.nanoTime();
		if (now - this.lastLight >= MEMORY_NANOS) {
			this.share = 1;
		}
		double effect = Math.clamp((now - this.lastLight) / INTERVAL_NANOS, 1, MAX_EFFECT);
		this.lastLight = now;
		if (!beside || this.share <= this.least) {
			this.usual += (nanos - this.usual) / (beside ? WEIGHT_AT_LEAST : WEIGHT);
		}
		if (!beside) {
			this.share = this.least;
		}
		else if (nanos > this.usual * SLOW + TOLERANCE_NANOS) {
			this.share = Math.max(this.least, this.share * (1 - DECREASE * effect));
		}
		else {
			this.share = Math.min(1, this.share + INCREASE * effect);
		}
	}

}
