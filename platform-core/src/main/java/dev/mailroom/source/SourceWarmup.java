package dev.mailroom.source;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The warm-up of a sending address: first attempts to each provider by sending day.
 *
 * @param large plan for each of Gmail, Microsoft, Yahoo and Apple
 * @param other plan for all other servers together
 * @param finished providers to which the address sends without a limit
 */
public record SourceWarmup(String source, List<Long> large, List<Long> other, Set<String> finished) {

	/**
	 * The usual plan of large providers: half as many more each day. Its last step stays
	 * for a day more, so that it does not end with a jump.
	 */
	public static final List<Long> LARGE = plan(50, 1.5, 50_000);

	/** The usual plan of all others: twice as many each day. */
	public static final List<Long> OTHERS = plan(200, 2, 50_000);

	/** The providers with an allowance of their own, and that of all others. */
	public static final List<String> PROVIDERS = List.of("gmail", "microsoft", "yahoo", "apple", "other");

	private static final Set<String> MICROSOFT = Set.of("microsoft", "outlook");

	/** Complaints in a thousand attempts above which a day is repeated. */
	private static final long COMPLAINTS = 3;

	/** Attempts of a day from which on it says something. */
	private static final long SIGNIFICANT = 50;

	/** A warm-up at its start. */
	public SourceWarmup(String source, List<Long> large, List<Long> other) {
		this(source, large, other, Set.of());
	}

	private static List<Long> plan(double first, double factor, long last) {
		List<Long> plan = new ArrayList<>();
		for (double next = first; next < last; next *= factor) {
			plan.add(Math.round(next));
		}
		plan.addAll(List.of(last, last));
		return List.copyOf(plan);
	}

	/** The provider of a profile whose allowance counts for its servers. */
	public static String provider(String profile) {
		return MICROSOFT.contains(profile) ? "microsoft" : PROVIDERS.contains(profile) ? profile : "other";
	}

	/** Whether the servers of a profile take mail without a limit. */
	public boolean isFinished(String profile) {
		return this.finished.contains(provider(profile));
	}

	/** The plan for a provider. */
	public List<Long> plan(String provider) {
		return provider.equals("other") ? this.other : this.large;
	}

	/** The first day, without mail yet. */
	Day first(String provider, LocalDate day) {
		return new Day(this.source, provider, day, 1, plan(provider).getFirst(), 0, 0, 0, 0, 0, 0, "");
	}

	/**
	 * The next sending day. It permits more than the one before, unless that went badly.
	 */
	Day after(Day before, LocalDate day) {
		List<Long> plan = plan(before.provider());
		int step = Math.min(before.step(), plan.size() + 1);
		String held = "";
		if (before.attempts() >= SIGNIFICANT && before.blocked() * 100 > before.attempts() * 5) {
			step = half(plan, step);
			held = "%d of %d attempts were blocked: half of the day before".formatted(before.blocked(),
					before.attempts());
		}
		else if (before.attempts() >= SIGNIFICANT && before.blocked() * 100 > before.attempts()) {
			held = "%d of %d attempts were blocked: the day is repeated".formatted(before.blocked(), before.attempts());
		}
		else if (before.attempts() >= SIGNIFICANT && before.deferred() * 10 > before.attempts()) {
			held = "%d of %d attempts were deferred by policy: the day is repeated".formatted(before.deferred(),
					before.attempts());
		}
		else if (before.attempts() >= SIGNIFICANT && before.complaints() * 1000 > before.attempts() * COMPLAINTS) {
			held = "%d of %d mails were reported as spam: the day is repeated".formatted(before.complaints(),
					before.attempts());
		}
		else {
			step = Math.min(step + 1, plan.size() + 1);
		}
		long allowance = (step > plan.size()) ? Long.MAX_VALUE : plan.get(step - 1);
		return new Day(this.source, before.provider(), day, step, allowance, 0, 0, 0, 0, 0, 0, held);
	}

	private static int half(List<Long> plan, int step) {
		long target = plan.get(Math.min(step, plan.size()) - 1) / 2;
		int half = 1;
		for (int i = 1; i <= plan.size() && plan.get(i - 1) <= target; i++) {
			half = i;
		}
		return half;
	}

	/**
	 * A day on which mail was sent to a provider.
	 *
	 * @param step place in the plan, from 1; one more than it has: without a limit
	 * @param allowance first attempts that it permits
	 * @param used first attempts that were permitted
	 * @param over transactional mails beyond
	 * @param deferred attempts that were deferred for reasons of policy
	 * @param complaints mails that were reported as spam
	 * @param held why it permits no more than the day before; empty if it does
	 */
	public record Day(String source, String provider, LocalDate day, int step, long allowance, long used, long over,
			long attempts, long blocked, long deferred, long complaints, String held) {

		/** Whether it has no limit. */
		boolean isUnlimited() {
			return this.allowance == Long.MAX_VALUE;
		}

	}

	/**
	 * A mail that was reported as spam.
	 *
	 * @param address local address from which it was sent
	 * @param profile name of the profile of the server that took it
	 */
	public record Complaint(String address, String profile) {
	}

	/**
	 * Attempts counted since the last time.
	 */
	public record Counted(String source, String provider, long over, long attempts, long blocked, long deferred) {

		/** Both together. */
		public Counted and(Counted other) {
			return new Counted(this.source, this.provider, this.over + other.over, this.attempts + other.attempts,
					this.blocked + other.blocked, this.deferred + other.deferred);
		}

	}

}
