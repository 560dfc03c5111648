package dev.mailroom.admin.campaign;

import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.Scope;
import dev.mailroom.admin.graphql.Payload;
import dev.mailroom.admin.graphql.Viewer;
import dev.mailroom.campaign.Segment;
import dev.mailroom.campaign.Segments;
import reactor.core.publisher.Mono;

import org.springframework.graphql.data.method.annotation.Argument;
import org.springframework.graphql.data.method.annotation.MutationMapping;
import org.springframework.graphql.data.method.annotation.SchemaMapping;
import org.springframework.stereotype.Controller;

/** Saved conditions on contacts. */
@Controller
class SegmentResolver {

	private final Segments segments;

	SegmentResolver(Segments segments) {
		this.segments = segments;
	}

	@SchemaMapping
	Mono<List<Segment>> segments(Viewer viewer) {
		return this.segments.list(viewer.scope());
	}

	@MutationMapping
	Mono<Map<String, Object>> saveSegment(Scope scope, @Argument SaveSegmentInput input) {
		return Payload.of("segment", this.segments.save(scope, input.name(), input.filter()));
	}

	@MutationMapping
	Mono<Map<String, Object>> deleteSegment(Scope scope, @Argument UUID id) {
		return Payload.of("deletedId", this.segments.delete(scope, id).thenReturn(id));
	}

	/** A segment to save. */
	record SaveSegmentInput(String name, Object filter) {
	}

}
