package dev.mailroom.admin.account;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import dev.mailroom.Scope;
import dev.mailroom.account.Caller;
import dev.mailroom.account.DeviceSignIn;
import dev.mailroom.account.DeviceSignIns;
import dev.mailroom.admin.graphql.Payload;
import dev.mailroom.admin.graphql.Viewer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.graphql.data.method.annotation.Argument;
import org.springframework.graphql.data.method.annotation.MutationMapping;
import org.springframework.graphql.data.method.annotation.SchemaMapping;
import org.springframework.stereotype.Controller;

/** Answers to programs that ask for an API key. */
@Controller
class DeviceResolver {

	private final DeviceSignIns signIns;

	DeviceResolver(DeviceSignIns signIns) {
		this.signIns = signIns;
	}

	/** The caller's codes are counted, also while an operator watches an account. */
	@SchemaMapping
	Mono<DeviceSignIn> deviceSignIn(Viewer viewer, Caller caller, @Argument String code) {
		return this.signIns.find(caller.scope(), code);
	}

	@MutationMapping
	Mono<Map<String, Object>> approveDeviceSignIn(Caller caller, @Argument ApproveDeviceSignInInput input) {
		return Payload.of("done",
				this.signIns
					.approve(caller.scope(), caller.member(), input.code(), input.name(), input.permissions(),
							input.expiresAt())
					.thenReturn(true));
	}

	@MutationMapping
	Mono<Map<String, Object>> denyDeviceSignIn(Scope scope, @Argument String code) {
		return Payload.of("done", this.signIns.deny(scope, code).thenReturn(true));
	}

	/** The key that a program gets. */
	record ApproveDeviceSignInInput(String code, String name, List<@Nullable String> permissions,
			@Nullable Instant expiresAt) {
	}

}
