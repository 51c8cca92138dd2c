// A pipeline with swagger-codegen's Java client.
import convertd.ApiClient;
import convertd.api.PipelineApi;
import convertd.model.*;
import java.util.List;

final class Pipeline {
  public static void main(String[] arguments) throws Exception {
    PipelineApi api = new PipelineApi(new ApiClient().setBasePath(System.getenv("BASE_URL")));
    api.pipeline(new PipelineRequest()
        .version(1)
        .input(new PipelineInput().mediaType("application/jwt").value(System.getenv("TOKEN")))
        .addStepsItem(new JwtDecodeStep().id("decode").tool(JwtDecodeStep.ToolEnum.JWT_DECODE))
        .addStepsItem(new JsonToYamlStep().id("yaml").tool(JsonToYamlStep.ToolEnum.JSON_TO_YAML)
            .options(new JsonToYamlOptions().indent(4)))
        .returnStepIds(List.of("decode")));
  }
}
