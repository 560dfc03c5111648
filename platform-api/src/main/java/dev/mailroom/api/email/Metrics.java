package dev.mailroom.api.email;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.mailroom.mail.outcome.Reputations;

/** Response of {@code GET /analytics/reputation-metrics}. */
record Metrics(long delivered, @JsonProperty("hardBounced") long hardBounced, long complained,
		@JsonProperty("bounceRate") double bounceRate, @JsonProperty("complaintRate") double complaintRate) {

	static Metrics of(Reputations.Figures figures) {
		return new Metrics(figures.delivered(), figures.hardBounced(), figures.complained(), figures.bounceRate(),
				figures.complaintRate());
	}

}
