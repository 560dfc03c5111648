package dev.mailroom.operator;

/**
 * A check of the platform.
 *
 * @param finding the state, as a sentence
 * @param fix the remedy; empty if none is needed
 */
public record HealthCheck(String name, Result result, String finding, String fix) {

	/** Results of checks. */
	public enum Result {

		/** Nothing needs to be done. */
		OK,
		/** An operator should look at it. */
		WARNING,
		/** The platform does not do its work. */
		FAILED

	}

	static HealthCheck ok(String name, String finding) {
		return new HealthCheck(name, Result.OK, finding, "");
	}

	/** A check that has one of two results. */
	static HealthCheck of(String name, boolean ok, Result otherwise, String finding, String fix) {
		return ok ? ok(name, finding) : new HealthCheck(name, otherwise, finding, fix);
	}
}
