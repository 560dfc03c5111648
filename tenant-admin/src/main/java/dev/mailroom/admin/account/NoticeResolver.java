package dev.mailroom.admin.account;

import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.mailroom.Scope;
import dev.mailroom.account.NoticeChoices;
import dev.mailroom.account.NoticeKind;
import dev.mailroom.admin.graphql.Payload;
import dev.mailroom.admin.graphql.Viewer;
import reactor.core.publisher.Mono;

import org.springframework.graphql.data.method.annotation.Argument;
import org.springframework.graphql.data.method.annotation.MutationMapping;
import org.springframework.graphql.data.method.annotation.SchemaMapping;
import org.springframework.stereotype.Controller;

/** Events of which the person who signed in is told by mail. */
@Controller
class NoticeResolver {

	private final NoticeChoices choices;

	NoticeResolver(NoticeChoices choices) {
		this.choices = choices;
	}

	@SchemaMapping
	Mono<Set<NoticeKind>> notices(Viewer viewer) {
		return this.choices.of(viewer.scope());
	}

	@MutationMapping
	Mono<Map<String, Object>> chooseNotices(Scope scope, @Argument ChooseNoticesInput input) {
		return Payload.of("notices", this.choices.choose(scope, input.notices()));
	}

	/** The kinds of events of which a person wants to be told. */
	record ChooseNoticesInput(List<NoticeKind> notices) {
	}

}
