package dev.mailroom.api.tracking;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import dev.mailroom.Refusal;
import dev.mailroom.tracking.Tokens;
import dev.mailroom.trackingdomain.TrackingNames;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

/**
 * Limits requests below tracking domains to links, and these to links of the accounts
 * that own the name. A page there never calls the API, so that no request is treated as
 * one of another origin.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 2)
class TrackingHosts implements WebFilter {

	private static final Refusal NOT_FOUND = Refusal.notFound("Not found");

	/** Paths of links; the token is the last part, or the one before the last. */
	private static final List<String> LINKS = List.of("/t/o/", "/t/c/", "/u/", "/confirm/");

	private final TrackingNames names;

	private final Tokens tokens;

	TrackingHosts(TrackingNames names, Tokens tokens) {
		this.names = names;
		this.tokens = tokens;
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		@Nullable String host = exchange.getRequest().getHeaders().getFirst(HttpHeaders.HOST);
		if (this.names.isOther(host)) {
			return chain.filter(exchange);
		}
		return this.names.owners(host).flatMap((owners) -> {
			String path = exchange.getRequest().getPath().pathWithinApplication().value();
			if (!owners.isEmpty() && !isCheck(path) && !isPolicyOf(owners, path) && !isLinkOf(owners, path)) {
				return Mono.error(NOT_FOUND.because("This name serves the links in mails of its account only"));
			}
			return chain.filter(owners.isEmpty() ? exchange
					: exchange.mutate()
						.request((request) -> request.headers((headers) -> headers.remove(HttpHeaders.ORIGIN)))
						.build());
		});
	}

	private static boolean isCheck(String path) {
		return path.startsWith(TrackingNames.PROOF_PATH) || path.startsWith(ChallengeController.PATH);
	}

	private static boolean isPolicyOf(List<TrackingNames.Owner> owners, String path) {
		return path.equals(TrackingNames.POLICY_PATH) && owners.stream().anyMatch((owner) -> owner.policy() != null);
	}

	private boolean isLinkOf(List<TrackingNames.Owner> owners, String path) {
		return LINKS.stream()
			.filter(path::startsWith)
			.map((prefix) -> path.substring(prefix.length()))
			.flatMap((rest) -> Stream.of(rest.split("/", 2)).limit(1))
			.map(this.tokens::account)
			.flatMap(Optional::stream)
			.anyMatch((account) -> owners.stream()
				.anyMatch((owner) -> owner.policy() == null && owner.account().equals(account)));
	}

}
