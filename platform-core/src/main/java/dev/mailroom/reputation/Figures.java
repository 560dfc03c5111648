package dev.mailroom.reputation;

/**
 * How mails fared.
 *
 * @param hardBounced those whose address itself was refused
 */
public record Figures(long delivered, long hardBounced, long complained) {

	private static final double PERCENT = 100;

	/** Hard bounces in percent of what was tried, to two decimals; 0 without traffic. */
	public double bounceRate() {
		return rate(this.hardBounced, this.delivered + this.hardBounced, 100);
	}

	/** Complaints in percent of what was delivered, to three decimals; 0 without. */
	public double complaintRate() {
		return rate(this.complained, this.delivered, 1000);
	}

	/** How many mails the rates rest on. */
	public long sampleSize() {
		return this.delivered + this.hardBounced;
	}

	private static double rate(long part, long whole, double fraction) {
		return (whole > 0) ? Math.round(PERCENT * part / whole * fraction) / fraction : 0;
	}

}
