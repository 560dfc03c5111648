package dev.mailroom.api.tracking;

import dev.mailroom.trackingdomain.TrackingNames;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.stereotype.Component;

/**
 * Answers proxies on the management port that order certificates on demand: whether they
 * may order one for a name.
 */
@Component
@Endpoint(id = "trackingdomain")
public class CertificateQuestion {

	private final TrackingNames names;

	CertificateQuestion(TrackingNames names) {
		this.names = names;
	}

	/**
	 * Answers 200 for a tracking domain of which DNS leads here, and else 404.
	 * @param name the name
	 * @param domain the name, as Caddy asks
	 */
	@ReadOperation
	public Mono<WebEndpointResponse<Void>> ask(@Nullable String name, @Nullable String domain) {
		return this.names.mayHaveCertificate((name != null) ? name : domain)
			.map((may) -> new WebEndpointResponse<>(
					may ? WebEndpointResponse.STATUS_OK : WebEndpointResponse.STATUS_NOT_FOUND));
	}

}
