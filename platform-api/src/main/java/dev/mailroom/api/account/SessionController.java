package dev.mailroom.api.account;

import java.time.Instant;
import java.util.UUID;

import dev.mailroom.Scope;
import dev.mailroom.account.Sessions;
import dev.mailroom.api.http.Success;
import reactor.core.publisher.Mono;

import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** REST endpoints for the caller's own sessions. */
@RestController
class SessionController {

	private final Sessions sessions;

	SessionController(Sessions sessions) {
		this.sessions = sessions;
	}

	@GetMapping("/auth/sessions")
	Mono<Success> list(Scope scope) {
		return this.sessions.list(scope.person())
			.map((open) -> Success.of("sessions", open.stream().map(SessionView::of).toList()));
	}

	@DeleteMapping("/auth/sessions/{id}")
	Mono<Success> end(Scope scope, @PathVariable UUID id) {
		return this.sessions.end(scope.person(), id).thenReturn(Success.deleted(id));
	}

	/** JSON form of a session. */
	record SessionView(UUID id, Instant createdAt, Instant expiresAt) {

		static SessionView of(Sessions.Open session) {
			return new SessionView(session.id(), session.createdAt(), session.expiresAt());
		}

	}

}
