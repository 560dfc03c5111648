package dev.mailroom.http;

import java.util.Optional;

import dev.mailroom.Refused;

import org.springframework.web.server.ServerWebExchange;

/** The form of errors on routes for clients of another API. */
@FunctionalInterface
public interface ErrorDialect {

	/** The response to a refused request; empty if these routes are not concerned. */
	Optional<Reply> reply(ServerWebExchange exchange, Refused refused);

	/** A status and a body to be written as JSON. */
	record Reply(int status, Object body) {
	}

}
