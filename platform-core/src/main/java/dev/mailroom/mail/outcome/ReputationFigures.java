package dev.mailroom.mail.outcome;

/**
 * Numbers of mails by result.
 *
 * @param hardBounced mails refused because the address does not exist
 */
public record ReputationFigures(long delivered, long hardBounced, long complained) {

	private static final double PERCENT = 100;

	/** Hard bounces in percent of the sample size, to two decimals; 0 without traffic. */
	public double bounceRate() {
		return rate(this.hardBounced, this.delivered + this.hardBounced, 100);
	}

	/** Complaints in percent of delivered mail, to three decimals; 0 without any. */
	public double complaintRate() {
		return rate(this.complained, this.delivered, 1000);
	}

	/** Number of mails on which the bounce rate is based. */
	public long sampleSize() {
		return this.delivered + this.hardBounced;
	}

	private static double rate(long part, long whole, double fraction) {
		return (whole > 0) ? Math.round(PERCENT * part / whole * fraction) / fraction : 0;
	}

}
