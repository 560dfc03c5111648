package dev.mailroom.load.installation;

/**
 * Numbers of mails in the log of a tenant's domain.
 *
 * @param all total without a filter
 */
record Totals(long all, long pending, long sent, long delivered, long bounced, long complained, long failed) {

	static Totals of(Tenant tenant) {
		Client client = tenant.sender();
		return new Totals(total(client, ""), total(client, "&status=pending"), total(client, "&status=sent"),
				total(client, "&status=delivered"), total(client, "&status=bounced"),
				total(client, "&status=complained"), total(client, "&status=failed"));
	}

	private static long total(Client client, String filter) {
		return client.get("/api/emails/logs?limit=1" + filter).at("/data/pagination/total").asLong();
	}

	/** Sum of the totals of each status. */
	long sum() {
		return this.pending + this.sent + this.delivered + this.bounced + this.complained + this.failed;
	}

	Totals since(Totals before) {
		return new Totals(this.all - before.all, this.pending - before.pending, this.sent - before.sent,
				this.delivered - before.delivered, this.bounced - before.bounced, this.complained - before.complained,
				this.failed - before.failed);
	}

	@Override
	public String toString() {
		return this.all + " = " + this.pending + " pending + " + this.sent + " sent + " + this.delivered
				+ " delivered + " + this.bounced + " bounced + " + this.complained + " complained + " + this.failed
				+ " failed";
	}

}
