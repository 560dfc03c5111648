package dev.mailroom.sdk;

import java.util.List;
import java.util.function.Consumer;

/**
 * Operations of <code>campaigns</code>.
 */
public final class Campaigns {

	final Transport transport;

	Campaigns(Transport transport) {
		this.transport = transport;
	}

	/**
	 * List campaigns, newest first. Permission: campaigns.read.
	 */
	public Items<CampaignItem> list(CampaignsListQuery query) {
		return this.transport.list(new Call("campaigns.list", "GET", "/campaigns").query(query), "campaigns",
				CampaignItem::of);
	}

	/**
	 * List campaigns, newest first. Permission: campaigns.read.
	 */
	public Items<CampaignItem> list() {
		return list(new CampaignsListQuery());
	}

	/**
	 * List campaigns, newest first. Permission: campaigns.read.
	 */
	public Items<CampaignItem> list(Consumer<CampaignsListQuery> query) {
		CampaignsListQuery fields = new CampaignsListQuery();
		query.accept(fields);
		return list(fields);
	}

	/**
	 * Create a campaign. It is scheduled if <code>send_at</code> is given, otherwise a
	 * draft. Permission: campaigns.write.
	 */
	public Campaign create(NewCampaign body) {
		return Campaign
			.of(this.transport.json(new Call("campaigns.create", "POST", "/campaigns").repeatable().json(body))
				.object("data")
				.object("campaign"));
	}

	/**
	 * Create a campaign. It is scheduled if <code>send_at</code> is given, otherwise a
	 * draft. Permission: campaigns.write.
	 */
	public Campaign create(Consumer<NewCampaign> fields) {
		NewCampaign body = new NewCampaign();
		fields.accept(body);
		return create(body);
	}

	/**
	 * Show a campaign. Permission: campaigns.read.
	 */
	public CampaignDetail get(String id) {
		return CampaignDetail
			.of(this.transport.json(new Call("campaigns.get", "GET", "/campaigns/" + Transport.encoded(id)))
				.object("data")
				.object("campaign"));
	}

	/**
	 * Change a draft or scheduled campaign. Setting <code>send_at</code> schedules a
	 * draft; setting it to null makes a scheduled campaign a draft again. After the first
	 * start only the name, the time and the pace can be changed. Permission:
	 * campaigns.write.
	 */
	public Campaign update(String id, CampaignChange body) {
		return Campaign.of(this.transport
			.json(new Call("campaigns.update", "PATCH", "/campaigns/" + Transport.encoded(id)).json(body))
			.object("data")
			.object("campaign"));
	}

	/**
	 * Change a draft or scheduled campaign. Setting <code>send_at</code> schedules a
	 * draft; setting it to null makes a scheduled campaign a draft again. After the first
	 * start only the name, the time and the pace can be changed. Permission:
	 * campaigns.write.
	 */
	public Campaign update(String id, Consumer<CampaignChange> fields) {
		CampaignChange body = new CampaignChange();
		fields.accept(body);
		return update(id, body);
	}

	/**
	 * Delete a campaign that is not running. Permission: campaigns.write.
	 */
	public void delete(String id) {
		this.transport.nothing(new Call("campaigns.delete", "DELETE", "/campaigns/" + Transport.encoded(id)));
	}

	/**
	 * Show the results of a campaign over time. Oldest first, without intervals that have
	 * no results. A delivered mail that bounces later is subtracted in the interval of
	 * the bounce. Permission: campaigns.read.
	 */
	public List<CampaignPoint> series(String id, CampaignsSeriesQuery query) {
		return this.transport
			.json(new Call("campaigns.series", "GET", "/campaigns/" + Transport.encoded(id) + "/series").query(query))
			.object("data")
			.list("series", CampaignPoint::of);
	}

	/**
	 * Show the results of a campaign over time. Oldest first, without intervals that have
	 * no results. A delivered mail that bounces later is subtracted in the interval of
	 * the bounce. Permission: campaigns.read.
	 */
	public List<CampaignPoint> series(String id) {
		return series(id, new CampaignsSeriesQuery());
	}

	/**
	 * Show the results of a campaign over time. Oldest first, without intervals that have
	 * no results. A delivered mail that bounces later is subtracted in the interval of
	 * the bounce. Permission: campaigns.read.
	 */
	public List<CampaignPoint> series(String id, Consumer<CampaignsSeriesQuery> query) {
		CampaignsSeriesQuery fields = new CampaignsSeriesQuery();
		query.accept(fields);
		return series(id, fields);
	}

	/**
	 * Show the clicks on each link of a campaign. Most clicks first. Clicks by programs
	 * are not counted. Permission: campaigns.read.
	 */
	public List<CampaignLink> links(String id) {
		return this.transport.json(new Call("campaigns.links", "GET", "/campaigns/" + Transport.encoded(id) + "/links"))
			.object("data")
			.list("links", CampaignLink::of);
	}

	/**
	 * Schedule a draft or paused campaign. Permission: campaigns.send.
	 */
	public Campaign schedule(String id, CampaignTime body) {
		return Campaign.of(
				this.transport
					.json(new Call("campaigns.schedule", "POST", "/campaigns/" + Transport.encoded(id) + "/schedule")
						.repeatable()
						.json(body))
					.object("data")
					.object("campaign"));
	}

	/**
	 * Schedule a draft or paused campaign. Permission: campaigns.send.
	 */
	public Campaign schedule(String id, Consumer<CampaignTime> fields) {
		CampaignTime body = new CampaignTime();
		fields.accept(body);
		return schedule(id, body);
	}

	/**
	 * Make a scheduled campaign a draft again. Permission: campaigns.write.
	 */
	public Campaign unschedule(String id) {
		return Campaign.of(
				this.transport
					.json(new Call("campaigns.unschedule", "POST",
							"/campaigns/" + Transport.encoded(id) + "/unschedule")
						.repeatable())
					.object("data")
					.object("campaign"));
	}

	/**
	 * Start a draft now. Permission: campaigns.send.
	 */
	public Campaign start(String id) {
		return Campaign.of(this.transport
			.json(new Call("campaigns.start", "POST", "/campaigns/" + Transport.encoded(id) + "/start").repeatable())
			.object("data")
			.object("campaign"));
	}

	/**
	 * Pause a running campaign. Queued mail stays queued until the campaign is resumed.
	 * Permission: campaigns.write.
	 */
	public PausedCampaign pause(String id) {
		return PausedCampaign.of(this.transport
			.json(new Call("campaigns.pause", "POST", "/campaigns/" + Transport.encoded(id) + "/pause").repeatable())
			.object("data")
			.object("campaign"));
	}

	/**
	 * Resume a paused campaign. Permission: campaigns.send.
	 */
	public Campaign resume(String id) {
		return Campaign.of(this.transport
			.json(new Call("campaigns.resume", "POST", "/campaigns/" + Transport.encoded(id) + "/resume").repeatable())
			.object("data")
			.object("campaign"));
	}

	/**
	 * Send a campaign as a test mail. One mail, rendered for a sample contact. It counts
	 * towards the quota. Permission: campaigns.send.
	 */
	public AcceptedEmail test(String id, CampaignTest body) {
		return AcceptedEmail
			.of(this.transport
				.json(new Call("campaigns.test", "POST", "/campaigns/" + Transport.encoded(id) + "/test").repeatable()
					.json(body))
				.object("data")
				.object("email"));
	}

	/**
	 * Send a campaign as a test mail. One mail, rendered for a sample contact. It counts
	 * towards the quota. Permission: campaigns.send.
	 */
	public AcceptedEmail test(String id, Consumer<CampaignTest> fields) {
		CampaignTest body = new CampaignTest();
		fields.accept(body);
		return test(id, body);
	}

}
