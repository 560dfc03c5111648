package dev.mailroom.sdk;

/**
 * Parameters of <code>campaigns.series</code>.
 */
public final class CampaignsSeriesQuery extends Fields {

	/**
	 * Sets the field <code>interval</code>: Length of the intervals. The default is hour.
	 */
	public CampaignsSeriesQuery interval(String interval) {
		set("interval", interval);
		return this;
	}

}
