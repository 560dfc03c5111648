package dev.mailroom.admin.account;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.Scope;
import dev.mailroom.account.Invitation;
import dev.mailroom.account.Invitations;
import dev.mailroom.account.Person;
import dev.mailroom.account.Right;
import dev.mailroom.account.Secret;
import dev.mailroom.account.Team;
import dev.mailroom.admin.graphql.Callers;
import dev.mailroom.admin.graphql.Payload;
import dev.mailroom.admin.graphql.Viewer;
import dev.mailroom.upkeep.AccountMails;
import graphql.GraphQLContext;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.graphql.data.method.annotation.Argument;
import org.springframework.graphql.data.method.annotation.MutationMapping;
import org.springframework.graphql.data.method.annotation.SchemaMapping;
import org.springframework.stereotype.Controller;

/** Members of the caller's account, and invitations to join it. */
@Controller
class TeamResolver {

	private final Team team;

	private final Invitations invitations;

	private final AccountMails mails;

	TeamResolver(Team team, Invitations invitations, AccountMails mails) {
		this.team = team;
		this.invitations = invitations;
		this.mails = mails;
	}

	@SchemaMapping
	Mono<Person> member(Viewer viewer) {
		return this.team.find(viewer.scope(), viewer.scope().person().account());
	}

	@SchemaMapping
	List<RightOfCaller> rights(Viewer viewer, GraphQLContext context) {
		return Arrays.stream(Right.values())
			.map((right) -> new RightOfCaller(right, right.role().contractName(), Callers.permits(context, right)))
			.toList();
	}

	@SchemaMapping
	Mono<List<Person>> members(Viewer viewer) {
		return this.team.list(viewer.scope());
	}

	@SchemaMapping
	Mono<List<Invitation>> invitations(Viewer viewer) {
		return this.invitations.list(viewer.scope());
	}

	@MutationMapping
	Mono<Map<String, Object>> inviteMember(Scope scope, @Argument InviteMemberInput input) {
		return Payload.of("invitation",
				this.invitations.invite(scope, input.email(), input.role())
					.delayUntil((sent) -> Mono.justOrEmpty(sent.notice()).flatMap(this.mails::send))
					.map(Invitations.Sent::invitation));
	}

	@MutationMapping
	Mono<Map<String, Object>> withdrawInvitation(Scope scope, @Argument UUID id) {
		return Payload.of("deletedId", this.invitations.withdraw(scope, id).thenReturn(id));
	}

	@MutationMapping
	Mono<Map<String, Object>> changeMemberRole(Scope scope, @Argument ChangeMemberRoleInput input) {
		return Payload.of("member", this.team.changeRole(scope, input.memberId(), input.role()));
	}

	@MutationMapping
	Mono<Map<String, Object>> removeMember(Scope scope, @Argument UUID id) {
		return Payload.of("deletedId", this.team.remove(scope, id).thenReturn(id));
	}

	@MutationMapping
	Mono<Map<String, Object>> checkInvitation(@Argument CheckInvitationInput input) {
		return Payload.of("done", Mono.defer(() -> this.invitations.check(Secret.of(input.token()))));
	}

	@MutationMapping
	Mono<Map<String, Object>> acceptInvitation(@Argument AcceptInvitationInput input) {
		return Payload.of("member",
				this.invitations.accept(Secret.of(input.token()), Secret.of(input.password()), input.name()));
	}

	/** A right with the lowest role that has it, and whether the caller has it. */
	record RightOfCaller(Right right, String role, boolean permitted) {
	}

	/** A person to invite. */
	record InviteMemberInput(String email, String role) {
	}

	/** A member with the next role. */
	record ChangeMemberRoleInput(UUID memberId, String role) {
	}

	/** The token of an invitation. */
	record CheckInvitationInput(String token) {

		/** Without the secret, for logs. */
		@Override
		public String toString() {
			return "CheckInvitationInput";
		}

	}

	/** The token of an invitation, with the password of the person who joins. */
	record AcceptInvitationInput(String token, String password, @Nullable String name) {

		/** Without the secrets, for logs. */
		@Override
		public String toString() {
			return "AcceptInvitationInput";
		}

	}

}
