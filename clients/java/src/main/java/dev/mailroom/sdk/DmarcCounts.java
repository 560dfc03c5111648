package dev.mailroom.sdk;

/**
 * Numbers of mails.
 *
 * @param passed Authenticated by DKIM or SPF, aligned with the domain in From.
 */
public record DmarcCounts(long count, long passed, long dkim, long spf, long quarantined, long rejected) {

	static DmarcCounts of(JsonObject json) {
		return new DmarcCounts(json.integer("count"), json.integer("passed"), json.integer("dkim"), json.integer("spf"),
				json.integer("quarantined"), json.integer("rejected"));
	}

}
