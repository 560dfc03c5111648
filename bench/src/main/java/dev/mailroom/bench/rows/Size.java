package dev.mailroom.bench.rows;

/** Durations and numbers of the benchmark, from system properties. */
final class Size {

	/**
	 * Whether to take less than three minutes, for figures that are only roughly right:
	 * one short round with small numbers, without the C2 compiler and without G20.
	 */
	static final boolean QUICK = Boolean.getBoolean("figures.quick");

	/** Seconds of a step. */
	static final int SECONDS = Integer.getInteger("figures.seconds", QUICK ? 1 : 3);

	/** Seconds after which the warm-up ends even if the JIT compilers are busy. */
	static final int WARM_SECONDS = Integer.getInteger("figures.warm", QUICK ? 5 : 45);

	/** Mails that are sent one by one in a cycle of the warm-up. */
	static final int WARM_POSTS = QUICK ? 400 : 2_000;

	static final int ROUNDS = Integer.getInteger("figures.rounds", QUICK ? 1 : 5);

	/** Mails of the neighbour's burst. */
	static final int BURST = Integer.getInteger("figures.burst", QUICK ? 3_000 : 60_000);

	/** Mails of the backlog. */
	static final int BACKLOG = Integer.getInteger("figures.backlog", QUICK ? 5_000 : 100_000);

	/** Mails to a destination with a rate limit. */
	static final int LIMITED = Integer.getInteger("figures.limited", QUICK ? 2_000 : 100_000);

	/** Contacts of the large campaign. */
	static final int CONTACTS = Integer.getInteger("figures.contacts", QUICK ? 20_000 : 1_000_000);

	/** Mails of the long lists. */
	static final int MAILS = Integer.getInteger("figures.mails", QUICK ? 50_000 : 10_000_000);

	private Size() {
	}

}
