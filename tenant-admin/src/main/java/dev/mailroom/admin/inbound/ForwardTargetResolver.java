package dev.mailroom.admin.inbound;

import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.Scope;
import dev.mailroom.admin.graphql.Payload;
import dev.mailroom.admin.graphql.Viewer;
import dev.mailroom.inbound.ForwardTarget;
import dev.mailroom.inbound.ForwardTargets;
import dev.mailroom.upkeep.ForwardMails;
import reactor.core.publisher.Mono;

import org.springframework.graphql.data.method.annotation.Argument;
import org.springframework.graphql.data.method.annotation.MutationMapping;
import org.springframework.graphql.data.method.annotation.SchemaMapping;
import org.springframework.stereotype.Controller;

/** Addresses to which routes forward mail. */
@Controller
class ForwardTargetResolver {

	private final ForwardTargets targets;

	private final ForwardMails mails;

	ForwardTargetResolver(ForwardTargets targets, ForwardMails mails) {
		this.targets = targets;
		this.mails = mails;
	}

	@SchemaMapping
	Mono<List<ForwardTarget>> forwardTargets(Viewer viewer) {
		return this.targets.list(viewer.scope());
	}

	@MutationMapping
	Mono<Map<String, Object>> createForwardTarget(Scope scope, @Argument CreateForwardTargetInput input) {
		return Payload.of("forwardTarget", this.mails.create(scope, input.address()));
	}

	@MutationMapping
	Mono<Map<String, Object>> resendForwardTarget(Scope scope, @Argument UUID id) {
		return Payload.of("forwardTarget", this.mails.resend(scope, id));
	}

	@MutationMapping
	Mono<Map<String, Object>> deleteForwardTarget(Scope scope, @Argument UUID id) {
		return Payload.of("deletedId", this.targets.delete(scope, id).thenReturn(id));
	}

	/** A target to create. */
	record CreateForwardTargetInput(String address) {
	}

}
