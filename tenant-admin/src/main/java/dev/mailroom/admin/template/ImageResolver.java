package dev.mailroom.admin.template;

import java.util.Map;
import java.util.UUID;

import dev.mailroom.Scope;
import dev.mailroom.admin.graphql.Connection;
import dev.mailroom.admin.graphql.PageArguments;
import dev.mailroom.admin.graphql.Payload;
import dev.mailroom.admin.graphql.Viewer;
import dev.mailroom.image.Image;
import dev.mailroom.image.Images;
import dev.mailroom.tracking.Links;
import reactor.core.publisher.Mono;

import org.springframework.graphql.data.method.annotation.Argument;
import org.springframework.graphql.data.method.annotation.MutationMapping;
import org.springframework.graphql.data.method.annotation.SchemaMapping;
import org.springframework.stereotype.Controller;

/** Images that templates and campaigns show. */
@Controller
class ImageResolver {

	private final Images images;

	private final Links links;

	ImageResolver(Images images, Links links) {
		this.images = images;
		this.links = links;
	}

	@SchemaMapping
	Mono<Connection<Image>> images(Viewer viewer, PageArguments page) {
		return Connection.byPosition(page, (request) -> this.images.read(viewer.scope(), request));
	}

	@SchemaMapping
	String url(Image image) {
		return this.links.imageUrl(image.accountId(), image.id());
	}

	@MutationMapping
	Mono<Map<String, Object>> uploadImage(Scope scope, @Argument UploadImageInput input) {
		return Payload.of("image", this.images.upload(scope, input.name(), input.content()));
	}

	@MutationMapping
	Mono<Map<String, Object>> deleteImage(Scope scope, @Argument UUID id) {
		return Payload.of("deletedId", this.images.delete(scope, id).thenReturn(id));
	}

	/** An image to store. */
	record UploadImageInput(String name, String content) {
	}

}
