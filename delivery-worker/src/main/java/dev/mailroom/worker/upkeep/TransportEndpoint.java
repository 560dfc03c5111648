package dev.mailroom.worker.upkeep;

import java.util.Map;
import java.util.UUID;

import dev.mailroom.Scope;
import dev.mailroom.account.Accounts;
import dev.mailroom.account.TransportChoice;
import dev.mailroom.worker.transport.Transports;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.stereotype.Component;

/**
 * An account's transport for whoever reaches the management port: {@code GET
 * /actuator/transport/{account}}, {@code POST /actuator/transport/{account}/{transport}}
 * to choose one, and {@code DELETE /actuator/transport/{account}} to go the platform's
 * way again.
 */
@Component
@Endpoint(id = "transport")
public class TransportEndpoint {

	private static final Logger log = LoggerFactory.getLogger(TransportEndpoint.class);

	private final Accounts accounts;

	private final Transports transports;

	TransportEndpoint(Accounts accounts, Transports transports) {
		this.accounts = accounts;
		this.transports = transports;
	}

	@ReadOperation
	Mono<WebEndpointResponse<Object>> read(@Selector String account) {
		return named(account).flatMap(this.accounts::way).map(this::shown).defaultIfEmpty(nobody(account));
	}

	@WriteOperation
	public Mono<WebEndpointResponse<Object>> choose(@Selector String account, @Selector String transport) {
		if (!this.transports.choices().contains(transport)) {
			return Mono.just(refused(WebEndpointResponse.STATUS_BAD_REQUEST, "There is no transport '" + transport
					+ "': it is one of " + String.join(", ", this.transports.choices())));
		}
		return named(account).flatMap((scope) -> this.accounts.take(scope, transport))
			.map(this::changed)
			.defaultIfEmpty(nobody(account));
	}

	@DeleteOperation
	public Mono<WebEndpointResponse<Object>> clear(@Selector String account) {
		return named(account).flatMap((scope) -> this.accounts.take(scope, null))
			.map(this::changed)
			.defaultIfEmpty(nobody(account));
	}

	/** What is no id is the id of nobody. */
	private static Mono<Scope> named(String account) {
		try {
			return Mono.just(Scope.of(UUID.fromString(account)));
		}
		catch (IllegalArgumentException _) {
			return Mono.empty();
		}
	}

	private WebEndpointResponse<Object> changed(TransportChoice way) {
		log.info("The mail of account {} goes by {} from now on", way.account(),
				(way.transport() != null) ? way.transport() : "the platform's transport");
		return shown(way);
	}

	private WebEndpointResponse<Object> shown(TransportChoice way) {
		boolean chosen = way.transport() != null;
		return new WebEndpointResponse<>(new Shown(way.account(),
				(way.transport() != null) ? way.transport() : this.transports.usual(), chosen));
	}

	private static WebEndpointResponse<Object> nobody(String account) {
		return refused(WebEndpointResponse.STATUS_NOT_FOUND, "There is no account with the id '" + account + "'");
	}

	private static WebEndpointResponse<Object> refused(int status, String why) {
		return new WebEndpointResponse<>(Map.of("error", why), status);
	}

	/**
	 * An account's transport.
	 *
	 * @param transport by which its mail goes unless a domain chooses
	 * @param chosen whether for this account, and not the platform's
	 */
	record Shown(UUID account, String transport, boolean chosen) {
	}

}
